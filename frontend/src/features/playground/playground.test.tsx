import { screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { beforeEach, describe, expect, it } from "vitest";
import type { Project } from "@/api/types";
import { aModel, aProject, aPrompt } from "@/testing/builders";
import { answer, refuse } from "@/testing/fake-server";
import { axeViolations, renderPage } from "@/testing/render";
import { aCell, aRow, aRun, aVariant } from "@/testing/run-builders";
import { PlaygroundPage } from "./playground-page";
import { readSession } from "./session-store";
import type { PlaygroundView } from "./view";

const AT = "projects/support-answers";
const DATASET = {
  id: "d1",
  name: "Golden",
  kind: "golden",
  case_count: 600,
  description: null,
  holdout_percent: 0,
  last_used_at: null,
  archived_at: null,
  created_at: "2026-01-15T10:00:00Z",
  updated_at: "2026-01-15T10:00:00Z",
};
const LATEST = aRun({
  origin: "playground",
  state: "completed",
  variants: [aVariant({ done_count: 10 })],
});

const ESTIMATE = {
  answer_calls: 40,
  judge_calls: 0,
  input_tokens: 100,
  output_tokens: { low: 1, high: 2 },
  cost: { low_usd: "0.01", high_usd: "0.02" },
  seconds: { low: 4, high: 6 },
  assumptions: [],
  unpriced_models: [],
};
const checked = (estimate: object) =>
  answer("post", `${AT}/playground/check`, { problems: [], estimate, running_id: null } as never);

function serve() {
  const page = (items: unknown[]) => ({ items, next: null, total: items.length }) as never;
  answer("get", `${AT}/models`, page([aModel({ id: "m1", is_enabled: true })]));
  answer("get", `${AT}/runs`, page([LATEST]));
  answer("get", `${AT}/runs/r1`, LATEST as never);
  answer("get", `${AT}/runs/r1/rows`, page([aRow(0, [aCell()])]));
  answer("get", `${AT}/runs/r1/summary`, { variants: [], comparisons: [] } as never);
  answer("get", `${AT}/prompts`, page([]));
  answer("get", `${AT}/prompts/pr1`, aPrompt({ id: "pr1", name: "Reply" }) as never);
  answer("get", `${AT}/datasets`, page([DATASET]));
  answer("get", `${AT}/datasets/d1/variables`, page([{ name: "question", cases: 10 }]));
  answer("get", `${AT}/scorers`, page([]));
  answer("post", `${AT}/models/m1/count-tokens`, {
    tokens: 12,
    method: "exact",
    fits_context: true,
  } as never);
  answer("put", `${AT}/prompts/pr1/draft`, aPrompt().draft as never);
}

function Page({ project, first }: { project: Project; first: PlaygroundView }) {
  const [view, setView] = useState(first);
  return (
    <>
      <PlaygroundPage
        project={project}
        view={view}
        onViewChanged={setView}
        shareAddress={(next) => `https://edison.test/?run=${next.run ?? ""}`}
      />
      <output data-testid="view">{JSON.stringify(view)}</output>
    </>
  );
}

async function open(view: PlaygroundView = {}, project = aProject(), estimate = ESTIMATE) {
  serve();
  checked(estimate);
  const page = await renderPage(<Page project={project} first={view} />);
  await screen.findByRole("heading", { name: "Reply", level: 1 });
  return page;
}

const shownView = () => JSON.parse(screen.getByTestId("view").textContent) as PlaygroundView;

beforeEach(() => localStorage.clear());

describe("the playground", () => {
  it("begins with the newest run, and runs the same again", async () => {
    const { user } = await open();
    expect(await screen.findByRole("button", { name: "Dataset: Golden" })).toBeVisible();
    const begun = aRun({ id: "r2", state: "completed", origin: "playground" });
    const sent = answer("post", `${AT}/playground/runs`, begun as never, { status: 201 });
    answer("get", `${AT}/runs/r2`, begun as never);
    answer("get", `${AT}/runs/r2/rows`, { items: [aRow(0)], next: null, total: 1 } as never);
    answer("get", `${AT}/runs/r2/summary`, { variants: [], comparisons: [] } as never);
    await user.click(screen.getByRole("button", { name: "Run" }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toMatchObject({
      prompt_id: "pr1",
      columns: [{ model_id: "m1", version_id: null }],
      dataset_id: "d1",
      inputs: null,
      grader_prompt_id: null,
    });
    await waitFor(() => expect(readSession("support-answers")?.runId).toBe("r2"));
    expect(await axeViolations()).toEqual([]);
  });

  it("says what a run takes, and asks before a large one starts", async () => {
    const { user } = await open({}, aProject(), { ...ESTIMATE, answer_calls: 1200 });
    expect(
      await screen.findByText("A run takes 1,200 calls · $0.01 – $0.02 · 4 s – 6 s"),
    ).toBeVisible();
    const sent = answer("post", `${AT}/playground/runs`, LATEST as never, { status: 201 });
    await user.click(screen.getByRole("button", { name: "Run" }));
    const dialog = await screen.findByRole("dialog", { name: "Start 1,200 calls?" });
    await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
    expect(sent).toEqual([]);
    await user.keyboard("{Control>}{Enter}{/Control}");
    await user.click(await screen.findByRole("button", { name: "Run the first 20 rows" }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toMatchObject({ dataset_id: "d1", cases: { limit: 20 } });
  });

  it("lists everything that stands in the way, with the way to it", async () => {
    const { user } = await open();
    refuse("post", `${AT}/playground/runs`, 400, {
      code: "VALIDATION_ERROR",
      details: [
        { field: "dataset_id", message: "Nothing gives tone a value.", code: "variable_missing" },
        { field: "columns.0.model_id", message: "The model is off.", code: "model_disabled" },
      ],
    });
    await user.click(screen.getByRole("button", { name: "Run" }));
    const dialog = await screen.findByRole("dialog", { name: "2 problems prevent this run" });
    expect(within(dialog).getByText("The model is off.")).toBeVisible();
    expect(within(dialog).getByText("Column 1")).toBeVisible();
    await user.click(within(dialog).getByRole("button", { name: "Go to dataset" }));
    await waitFor(() =>
      expect(screen.getByRole("button", { name: "Dataset: Golden" })).toHaveFocus(),
    );
  });

  it("links to the run in progress and to exhausted budgets", async () => {
    const { user } = await open();
    refuse("post", `${AT}/playground/runs`, 402, {
      code: "BUDGET_EXCEEDED",
      message: "The project's budget is used up.",
    });
    await user.click(screen.getByRole("button", { name: "Run" }));
    const refused = await screen.findByRole("dialog", { name: "Budget used up" });
    expect(within(refused).getByText("The project's budget is used up.")).toBeVisible();
    expect(within(refused).getByRole("link", { name: "Open budgets" })).toBeVisible();
    await user.keyboard("{Escape}");
    refuse("post", `${AT}/playground/runs`, 409, { code: "CONFLICT", details: { run_id: "r9" } });
    answer("get", `${AT}/runs/r9`, { ...LATEST, id: "r9", name: "Mine" } as never);
    answer("get", `${AT}/runs/r9/rows`, { items: [aRow(0)], next: null, total: 1 } as never);
    answer("get", `${AT}/runs/r9/summary`, { variants: [], comparisons: [] } as never);
    answer("get", `${AT}/prompts/pr1/versions/ve1`, { ...aPrompt().draft, id: "ve1" } as never);
    await user.click(screen.getByRole("button", { name: "Run" }));
    await user.click(await screen.findByRole("button", { name: "Open run" }));
    expect(shownView().run).toBe("r9");
    expect(await screen.findByText(/Showing an earlier run: Mine/)).toBeVisible();
    expect(screen.getByText(/as it was run. It cannot be changed here/)).toBeVisible();
    expect(screen.getByRole("button", { name: "Restore" })).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Back to latest run" }));
    expect(shownView().run).toBeUndefined();
    expect(screen.queryByText(/Showing an earlier run/)).toBeNull();
  });

  it("shows one metric after the other", async () => {
    const { user } = await open();
    await user.click(screen.getByRole("button", { name: "Metric: Score" }));
    expect(shownView().metric).toBe("tokens");
    await user.click(document.body);
    await user.keyboard("m");
    expect(shownView().metric).toBe("cost");
  });

  it("lets a viewer look, and says why there is no more", async () => {
    await open({}, aProject({ role: "VIEWER" }));
    const run = screen.getByRole("button", { name: /^Run/ });
    expect(run).toHaveAttribute("aria-disabled", "true");
    expect(run).toHaveAccessibleDescription("Your role cannot start runs.");
    expect(screen.getByRole("button", { name: /^Dataset/ })).toBeDisabled();
  });
});
