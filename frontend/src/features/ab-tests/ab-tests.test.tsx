import { screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { anAbAnswer, anAbTest } from "@/testing/ab-test-builders";
import { aProject } from "@/testing/builders";
import { answer, refuse } from "@/testing/fake-server";
import { aScorerKind } from "@/testing/library-builders";
import { listOf } from "@/testing/pages";
import { axeViolations, renderPage } from "@/testing/render";
import { AbTestPage } from "./ab-test-page";
import { EditAbTestPage } from "./form/ab-test-form-pages";

const project = aProject();
const PATH = `projects/${project.slug}`;
const TEST = `${PATH}/ab-tests/t1`;
const CONTAINS = { kind: "contains", options: { phrases: ["x"] }, weight: 1, is_negated: false };

function openForm(onSaved = vi.fn()) {
  answer("get", TEST, anAbTest({ state: "draft", result: null, scorers: [CONTAINS] }));
  answer("get", `${PATH}/scorers/kinds`, [aScorerKind()]);
  for (const list of ["prompts", "models", "datasets", "scorers", "prompts/p1/versions"]) {
    answer("get", `${PATH}/${list}`, listOf());
  }
  return renderPage(<EditAbTestPage project={project} testId="t1" onSaved={onSaved} />);
}

describe("the form of an A/B test", () => {
  it("estimates before anything is spent, and saves what changed", async () => {
    const saved = vi.fn();
    const estimated = answer("post", `${PATH}/ab-tests/estimate`, {
      run: {
        answer_calls: 120,
        judge_calls: 0,
        input_tokens: 6000,
        output_tokens: { low: 60, high: 120 },
        cost: { low_usd: "0.50", high_usd: "1.50" },
        known_cost: { low_usd: "0.50", high_usd: "1.50" },
        simulated_cost: { low_usd: "0", high_usd: "0" },
        seconds: { low: 10, high: 20 },
        assumptions: [],
        unpriced_models: [],
        budgets: [],
      },
      fits_budget: false,
    });
    const changed = answer("patch", TEST, anAbTest({ state: "draft" }));
    const { user } = await openForm(saved);
    const pairs = await screen.findByRole("textbox", { name: /^Pairs at most/ });
    await user.clear(pairs);
    await user.type(pairs, "60");
    expect(await screen.findByText("120 answers, 0 judge calls")).toBeVisible();
    expect(screen.getByText(/may cost more than the budget of \$1.00/)).toBeVisible();
    await vi.waitFor(() =>
      expect(estimated.at(-1)?.body).toMatchObject({ pairs: 60, dataset_id: "d1" }),
    );
    await user.click(screen.getByRole("button", { name: "Save changes" }));
    await vi.waitFor(() => expect(saved).toHaveBeenCalledWith("t1"));
    expect(changed[0]?.body).toEqual({ pairs: 60 });
  });

  it("shows the server's problems at their fields", async () => {
    refuse("post", `${PATH}/ab-tests/estimate`, 422, { code: "INVALID", message: "Wrong." });
    refuse("patch", TEST, 422, {
      code: "INVALID",
      message: "Wrong.",
      details: [{ field: "first.version_id", message: "It was deleted.", code: "deleted" }],
    });
    const { user } = await openForm();
    await user.type(await screen.findByRole("textbox", { name: /^Name/ }), "!");
    await user.click(screen.getByRole("button", { name: "Save changes" }));
    expect(await screen.findByText("It was deleted.")).toBeVisible();
    expect(screen.getByText("Some fields need attention.")).toBeVisible();
  });
});

describe("an A/B test of recorded answers", () => {
  it("lists its answers with their scores, and opens one", async () => {
    answer("get", TEST, anAbTest({ mode: "recorded", dataset: null, answers: 2 }));
    answer(
      "get",
      `${TEST}/answers`,
      listOf(anAbAnswer(), anAbAnswer({ id: "a2", number: 2, state: "pending", score: null })),
    );
    const { user } = await renderPage(
      <AbTestPage project={project} testId="t1" onOpened={vi.fn()} onLeft={vi.fn()} />,
    );
    const table = await screen.findByRole("table", { name: "Recorded answers" });
    expect(within(table).getByText("8.0/10")).toBeVisible();
    expect(within(table).getByText("Waits for a score")).toBeVisible();
    await user.click(within(table).getByRole("button", { name: "Answer 1" }));
    const dialog = await screen.findByRole("dialog", { name: "Answer 1" });
    expect(within(dialog).getByText("It names the city.")).toBeVisible();
    expect(await axeViolations(dialog)).toEqual([]);
  });
});
