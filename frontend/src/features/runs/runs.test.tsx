import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { CellDialog } from "@/components/cell/cell-dialog";
import { RowStore } from "@/components/grid/row-store";
import { aProject } from "@/testing/builders";
import { answer, refuse } from "@/testing/fake-server";
import { axeViolations, renderPage } from "@/testing/render";
import { aCell, anOutput, aRow, aRun, aVariant } from "@/testing/run-builders";
import { NewRunPage } from "./new-run-page";
import { RunActions } from "./run-actions";
import { RunsPage } from "./runs-page";
import { VariantProgress } from "./variant-progress";

const project = aProject();
const PATH = `projects/${project.slug}`;
const NONE = { items: [], next: null, total: 0 };

function answerChoices() {
  answer("get", `${PATH}/prompts`, NONE);
  answer("get", `${PATH}/models`, NONE);
  answer("get", `${PATH}/datasets`, NONE);
  answer("get", `${PATH}/scorers/kinds`, []);
  answer("get", `${PATH}/comparers/kinds`, []);
  answer("get", `${PATH}/scorers`, { items: [], next: null, total: 0 });
}

describe("the list of runs", () => {
  it("shows how far each run is, in words and not only in colour", async () => {
    answerChoices();
    const run = aRun({ done_count: 4, error_count: 1, cost_usd: "0.5" });
    const later = aRun({
      id: "r2",
      name: "Later",
      done_count: 4,
      created_at: "2027-01-01T00:00:00Z",
    });
    answer("get", `${PATH}/runs`, { items: [later, run], next: null, total: 2 });
    const { container, user } = await renderPage(
      <RunsPage project={project} filters={{}} onFiltersChanged={vi.fn()} onRunOpened={vi.fn()} />,
    );
    const row = (await screen.findByRole("link", { name: "Reply on Golden" })).closest("tr");
    expect(row).toHaveTextContent("Running");
    expect(row).toHaveTextContent("4 of 10 cells · 1 failed");
    expect(row).toHaveTextContent("$0.50");
    await user.click(screen.getByRole("checkbox", { name: "Compare Reply on Golden" }));
    await user.click(screen.getByRole("checkbox", { name: "Compare Later" }));
    expect(screen.getByRole("link", { name: "Compare runs" })).toHaveAttribute(
      "href",
      expect.stringContaining("runs/r2"),
    );
    expect(await axeViolations(container)).toEqual([]);
  });

  it("leads newcomers to their first run", async () => {
    answerChoices();
    answer("get", `${PATH}/runs`, NONE);
    await renderPage(
      <RunsPage project={project} filters={{}} onFiltersChanged={vi.fn()} onRunOpened={vi.fn()} />,
    );
    expect(await screen.findByRole("link", { name: "Start your first run" })).toBeVisible();
  });

  it("offers nothing to change to those who may only look", async () => {
    answerChoices();
    answer("get", `${PATH}/runs`, { items: [aRun()], next: null, total: 1 });
    await renderPage(
      <RunsPage
        project={aProject({ role: "VIEWER" })}
        filters={{}}
        onFiltersChanged={vi.fn()}
        onRunOpened={vi.fn()}
      />,
    );
    await screen.findByRole("link", { name: "Reply on Golden" });
    expect(screen.queryByRole("button", { name: /Actions for/ })).toBeNull();
  });
});

describe("what can be done with a run", () => {
  it("says what a cancelled run has cost before it is cancelled", async () => {
    const run = aRun({ done_count: 4, cost_usd: "1.25" });
    const cancelled = answer("post", `${PATH}/runs/r1/cancel`, aRun({ state: "cancelled" }));
    const { user } = await renderPage(
      <RunActions slug={project.slug} run={run} onRunOpened={vi.fn()} onDeleted={vi.fn()} />,
    );
    await user.click(screen.getByRole("button", { name: "Cancel run" }));
    const dialog = screen.getByRole("dialog");
    expect(dialog).toHaveTextContent("4 of 10 cells are done and $1.25 is spent.");
    expect(cancelled).toHaveLength(0);
    await user.click(within(dialog).getByRole("button", { name: "Cancel run" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(cancelled).toHaveLength(1);
  });

  it("makes a run again past the cache when that is wanted", async () => {
    const again = answer("post", `${PATH}/runs/r1/again`, aRun({ id: "r2" }), { status: 201 });
    const onRunOpened = vi.fn();
    const { user } = await renderPage(
      <RunActions
        slug={project.slug}
        run={aRun({ state: "completed", actions: ["again"] })}
        onRunOpened={onRunOpened}
        onDeleted={vi.fn()}
      />,
    );
    await user.click(screen.getByRole("button", { name: "Re-run" }));
    const dialog = within(screen.getByRole("dialog"));
    await user.click(dialog.getByRole("switch"));
    await user.click(dialog.getByRole("button", { name: "Re-run" }));
    await waitFor(() => expect(onRunOpened).toHaveBeenCalledWith("r2"));
    expect(again[0]?.body).toEqual({ is_cache_bypassed: true });
  });
});

describe("a variant", () => {
  it("says in words what its bar shows, and why it waits", async () => {
    await renderPage(
      <ul>
        <VariantProgress
          variant={aVariant({
            done_count: 6,
            error_count: 2,
            malformed_count: 1,
            cached_count: 3,
            waiting: { reason: "rate_limit", sentence: "Rate limited by OpenAI", until: null },
          })}
        />
      </ul>,
    );
    const bar = screen.getByRole("progressbar");
    expect(bar).toHaveAttribute("aria-valuenow", "6");
    const item = screen.getByRole("listitem");
    expect(item).toHaveTextContent("6 of 10 cells · 2 failed · 1 malformed · 3 from cache");
    expect(item).toHaveTextContent("Rate limited by OpenAI");
  });
});

describe("a cell", () => {
  it("shows what was asked, what came back and how it was scored", async () => {
    const store = new RowStore();
    store.put([aRow(0, [aCell()]), aRow(1, [aCell({ id: "o2", case_position: 1 })])]);
    answer("get", `${PATH}/runs/r1/rows`, { items: [aRow(0)], next: null, total: 10 });
    answer("get", `${PATH}/outputs/o1/scores`, { value: null, flag: null, items: [] });
    answer(
      "get",
      `${PATH}/outputs/o1`,
      anOutput({
        details: [
          {
            id: "s1",
            scorer: 0,
            value: 0.25,
            is_passed: false,
            flag: null,
            rationale: "Wrong capital.",
            raw: null,
            criteria: null,
            judges: null,
            judge_text: null,
            cost_usd: null,
          },
        ],
      }),
    );
    const onOutputChanged = vi.fn();
    const { user } = await renderPage(
      <CellDialog
        project={project}
        run={aRun()}
        store={store}
        outputId="o1"
        onOutputChanged={onOutputChanged}
      />,
    );
    const dialog = await screen.findByRole("dialog", { name: "Case 1" });
    expect(await within(dialog).findByText("Paris")).toBeVisible();
    expect(dialog).toHaveTextContent("Wrong capital.");
    expect(dialog).toHaveTextContent("2.5/10");
    await user.click(within(dialog).getByRole("radio", { name: "Raw" }));
    expect(dialog).toHaveTextContent("The capital is <response>Paris</response>");
    await user.click(within(dialog).getByRole("tab", { name: "Sent to the model" }));
    expect(dialog).toHaveTextContent("What is the capital of France?");
    expect(await axeViolations(dialog)).toEqual([]);
    await user.click(within(dialog).getByRole("button", { name: "Next case" }));
    expect(onOutputChanged).toHaveBeenCalledWith("o2");
  });
});

describe("a new run", () => {
  it("says what is missing next to where it is missing", async () => {
    answerChoices();
    const { user } = await renderPage(
      <NewRunPage project={project} preset={{}} onRunStarted={vi.fn()} />,
    );
    await screen.findByText(/No model is enabled in this project/);
    await user.click(screen.getByRole("button", { name: "Start run" }));
    expect(await screen.findByText("Choose a prompt.")).toBeVisible();
  });

  it("shows what the server refuses at the field it is about", async () => {
    answerChoices();
    const preset = { prompt: "p1", model: "m1", dataset: "d1" };
    const problems = {
      code: "VALIDATION_ERROR",
      message: "Wrong",
      details: [{ field: "variants.0.version_id", message: "No such version.", code: "unknown" }],
    };
    refuse("post", `${PATH}/runs`, 400, problems);
    refuse("post", `${PATH}/runs/estimate`, 400, problems);
    answer("get", `${PATH}/prompts/p1/versions`, NONE);
    answer("get", `${PATH}/datasets/d1/facets`, {
      splits: [],
      tags: [],
      difficulties: [],
      origins: [],
      total: 0,
      with_expected: 0,
    });
    const { user } = await renderPage(
      <NewRunPage project={project} preset={preset} onRunStarted={vi.fn()} />,
    );
    await user.click(await screen.findByRole("button", { name: "Start run with 1 variant" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("No such version.");
  });
});
