import { screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { describe, expect, it } from "vitest";
import type { Iteration } from "@/api/types";
import { aProject } from "@/testing/builders";
import { answer, refuse } from "@/testing/fake-server";
import { aSideCase, anIteration, someMetrics } from "@/testing/iteration-builders";
import { axeViolations, renderPage } from "@/testing/render";
import { aVariantResult, someResults } from "@/testing/results-builders";
import { anOutput, aRow, aRun } from "@/testing/run-builders";
import { IterationPage } from "./iteration-page";
import type { IterationView } from "./iteration-view";
import { chosenColumns, columnChoices } from "./outputs/columns";
import { toFilter } from "./outputs/outputs-view";
import { stepsOf } from "./phases";
import { checksOf } from "./safety";

const AT = "projects/team/experiments/e1";
const PROJECT = aProject({ slug: "team", role: "EDITOR" });
const DECIDED = {
  origin: "refiner" as const,
  targets: ["Empathy"],
  trial_difference: null,
  decided_at: null,
};

function Page({ view, role }: { view: IterationView; role: "EDITOR" | "VIEWER" }) {
  const [shown, setShown] = useState(view);
  return (
    <IterationPage
      project={{ ...PROJECT, role }}
      experimentId="e1"
      iterationId="i2"
      view={shown}
      onViewChanged={setShown}
    />
  );
}

async function open(
  iteration: Iteration,
  view: IterationView = {},
  role: "EDITOR" | "VIEWER" = "EDITOR",
) {
  answer("get", `${AT}/iterations/i2`, iteration);
  answer("get", AT, { name: "Better replies", prompt_id: "p1", iterations: [], pruned: [] });
  answer("get", "projects/team/runs/:run", aRun({ id: "r2", state: "completed" }));
  answer("get", "projects/team/runs/:run/rows", { items: [], next: null, total: 0 });
  return renderPage(<Page view={view} role={role} />);
}

describe("what an iteration is made of", () => {
  it("goes through seven steps, and stops where it was stopped", () => {
    const phases = [
      { state: "executing", began_at: "2026-03-01T10:00:02Z", ended_at: "2026-03-01T10:01:02Z" },
      { state: "judging", began_at: "2026-03-01T10:01:02Z", ended_at: null },
    ] as const;
    const working = anIteration({ state: "judging", phases: [...phases] });
    expect(stepsOf(working).map(({ status, seconds }) => [status, seconds])).toEqual([
      ["done", 2],
      ["done", 60],
      ["current", null],
      ["waiting", null],
      ["waiting", null],
      ["waiting", null],
      ["waiting", null],
    ]);
    const paused = stepsOf({ ...working, state: "paused" }).map(({ status }) => status);
    expect(paused[2]).toBe("paused");
    const over = stepsOf({ ...working, state: "cancelled" }).map(({ status }) => status);
    expect(over.slice(1, 4)).toEqual(["done", "stopped", "waiting"]);
    expect(stepsOf(anIteration({ state: "pending", phases: [] }))[0]?.status).toBe("current");
  });

  it("compares the models of an iteration, or the only one with the iteration before", () => {
    const alone = anIteration({ metrics: someMetrics() });
    const before = anIteration({ id: "i1", number: 1, run_id: "r1", metrics: someMetrics() });
    const choices = columnChoices(alone, { iterations: [before, alone] } as never, false);
    expect(choices.map(({ key, iteration }) => [key, iteration])).toEqual([
      ["0", 2],
      ["r1.0", 1],
    ]);
    expect(chosenColumns(choices, undefined).map(({ key }) => key)).toEqual(["0", "r1.0"]);
    expect(chosenColumns(choices, "r1.0,gone").map(({ key }) => key)).toEqual(["r1.0"]);
    const several = columnChoices(anIteration(), undefined, false);
    expect(chosenColumns(several, undefined)).toHaveLength(2);
  });

  it("asks for what the address says", () => {
    const view = { score: "2.5-4", facet: "difficulty:3", apart: true, order: "cost" } as const;
    expect(toFilter(view, ["0"])).toMatchObject({
      columns: ["0"],
      order: "cost",
      minScore: 0.25,
      maxScore: 0.4,
      minDisagreement: 0.2,
      difficulty: 3,
    });
    expect(toFilter({ facet: "tag:a:b" }, [])).toMatchObject({ tag: "a:b" });
  });

  it("takes what counts nothing for a safety check", () => {
    const results = someResults({
      criteria: [{ key: "s1", name: "Personal data", weight: 0, scorers: [1] }],
      raters: [{ key: "s1", label: "Personal data", kind: "scorer", scorer: 1 }],
      variants: [aVariantResult()],
    });
    const [check] = checksOf(results);
    expect(check).toMatchObject({ key: "s1", findings: [{ label: "Reply v1 · small", count: 0 }] });
  });
});

describe("page of an iteration", () => {
  it("shows how far it is, and cancels after saying what is kept", async () => {
    const { user } = await open(anIteration());
    const steps = await screen.findByRole("list", { name: "Iteration phases" });
    expect(within(steps).getByText("Generate answers").closest("li")).toHaveTextContent("50%");
    expect(screen.getByText("7 of 10 answers")).toBeVisible();
    expect(screen.getByText("Rate limit.")).toBeVisible();
    expect(screen.getByText("$1.80 of $2.00 experiment budget (90%)")).toBeVisible();
    expect(screen.getByText("~3 min")).toBeVisible();
    expect(await axeViolations(screen.getByRole("region", { name: "Progress" }))).toEqual([]);

    await user.click(screen.getByRole("button", { name: "Cancel" }));
    const dialog = await screen.findByRole("dialog", { name: "Cancel iteration 2?" });
    expect(dialog).toHaveTextContent("10 of 20 answers are done, for $0.30.");
    expect(dialog).toHaveTextContent("This cannot be undone.");
    const cancelled = answer("post", `${AT}/iterations/i2/cancel`, {
      ...anIteration({ state: "cancelled", actions: [] }),
    });
    await user.click(within(dialog).getByRole("button", { name: "Cancel iteration" }));
    await waitFor(() => expect(cancelled).toHaveLength(1));
    expect(await screen.findByText("The iteration was cancelled.")).toBeInTheDocument();
  });

  it("says what to do about a used-up budget, by role", async () => {
    const paused = anIteration({
      state: "paused",
      problem: "budget",
      message: "The budget of the experiment is used up.",
      actions: ["resume", "cancel"],
    });
    const { unmount } = await open(paused);
    expect(await screen.findByText("Budget used up")).toBeVisible();
    expect(screen.getByRole("link", { name: "View budgets" })).toBeVisible();
    expect(screen.getByRole("button", { name: "Resume" })).toBeVisible();
    unmount();
    await open(paused, {}, "VIEWER");
    expect(await screen.findByText("Budget used up")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Resume" })).not.toBeInTheDocument();
  });

  it("does not speak of answers when every call failed", async () => {
    const metrics = someMetrics({ answers: 6, failed: 6, is_unjudged: true });
    const message = "No model answered, so there was nothing to judge.";
    await open(anIteration({ state: "failed", problem: "answers_failed", message, metrics }));
    expect(await screen.findByText("Every call failed")).toBeVisible();
    expect(screen.getByRole("link", { name: "Start another iteration" })).toBeVisible();
    expect(screen.getByRole("tab", { name: "Live" })).toHaveAttribute("aria-selected", "true");
    expect(screen.queryByText(/See the answers/)).toBeNull();
  });

  it("shows what came of it, what waits, and what was decided", async () => {
    answer("get", "projects/team/runs/:run/summary", someResults());
    answer("get", "projects/team/runs/:run/cases", { items: [aSideCase()], next: null, total: 1 });
    await open(
      anIteration({
        state: "reviewing",
        actions: ["suggest", "close"],
        metrics: someMetrics({ unscored: 2 }),
        suggestions: [
          { ...DECIDED, id: "s1", number: 1, state: "rejected" },
          { ...DECIDED, id: "s2", number: 2, state: "pending" },
        ],
      }),
    );
    expect(await screen.findByText("1 suggestion to review")).toBeVisible();
    expect(screen.getByText("Rejected")).toBeVisible();
    const glance = screen.getByRole("region", { name: "Summary" });
    expect(glance).toHaveTextContent("7.2/10");
    expect(glance).toHaveTextContent("95% interval 6.2 to 8.2");
    expect(glance).toHaveTextContent("+1.0+16.1%on training cases, not a test");
    expect(glance).toHaveTextContent(
      "+0.2 on held-out cases, against the first versionNot enough evidence",
    );
    expect(screen.getByText(/2 cases have no score/)).toBeVisible();
    expect(await screen.findByText("By criterion")).toBeVisible();
  });

  it("puts answers side by side, goes from case to case, and flags one", async () => {
    answer("get", "projects/team/runs/:run/summary", someResults());
    const second = aSideCase({ position: 4, inputs_preview: "Refund?" });
    const asked = answer("get", "projects/team/runs/r2/cases", {
      items: [aSideCase(), second],
      next: null,
      total: 2,
    });
    answer(
      "get",
      "projects/team/outputs/o1",
      anOutput({ id: "o1", text: "It comes today.", parsed: null }),
    );
    answer(
      "get",
      "projects/team/outputs/o2",
      anOutput({ id: "o2", text: "It comes tomorrow.", parsed: null }),
    );
    answer("get", "projects/team/outputs/:output/scores", { value: null, flag: null, items: [] });
    const { container, user } = await open(anIteration(), { tab: "outputs", order: "worst" });
    answer("get", "projects/team/runs/r2/rows", { items: [aRow(0)], next: null, total: 1 });
    // Waits for three requests in sequence: the iteration, its cases, and their outputs.
    expect(await screen.findByText("Case 1 of 2", {}, { timeout: 8000 })).toBeVisible();
    expect(asked[0]?.url.searchParams.getAll("column")).toEqual(["0", "1"]);
    expect(asked[0]?.url.searchParams.get("order")).toBe("worst");
    const small = screen.getByRole("region", { name: "Reply v2 · small" });
    expect(await within(small).findByText("It comes today.")).toBeVisible();
    expect(within(small).getByText("judges differ by 3.0")).toBeVisible();
    await user.click(screen.getByRole("switch", { name: "Diff against the first" }));
    expect((await screen.findByText("tomorrow")).tagName).toBe("INS");
    const flagged = answer("put", "projects/team/outputs/o1/flag", {
      value: null,
      items: [],
      flag: { person: null, is_mine: true, created_at: "2026-03-01T10:00:00Z" },
    });
    await user.click(within(small).getByRole("button", { name: "Flag for the team" }));
    await waitFor(() => expect(flagged).toHaveLength(1));
    expect(await axeViolations(container)).toEqual([]);
    await user.keyboard("j");
    expect(await screen.findByText("Case 2 of 2")).toBeVisible();
  }, 30_000);

  it("says that there is no such iteration", async () => {
    refuse("get", `${AT}/iterations/i2`, 404, { code: "NOT_FOUND", message: "Gone." });
    answer("get", AT, { name: "Better replies" });
    await renderPage(<Page view={{}} role="EDITOR" />);
    expect(await screen.findByRole("alert")).toBeVisible();
  });
});
