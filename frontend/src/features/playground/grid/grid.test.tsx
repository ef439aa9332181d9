import { screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Cell, RunDetail } from "@/api/types";
import { aModel, aProject } from "@/testing/builders";
import { answer, refuse } from "@/testing/fake-server";
import { axeViolations, renderPage } from "@/testing/render";
import { someResults } from "@/testing/results-builders";
import { aCell, anOutput, aRow, aRun, aVariant } from "@/testing/run-builders";
import {
  editColumn,
  newColumn,
  removeColumn,
  type Column,
  type Metric,
  type RowSort,
} from "../session";
import { PlaygroundGrid } from "./playground-grid";

const project = aProject();
const at = `projects/${project.slug}`;
const models = [
  aModel({ id: "m1", display_name: "GPT-4o", provider_title: "OpenAI" }),
  aModel({ id: "m2", display_name: "Claude", provider_title: "Anthropic" }),
];
const run = aRun({
  state: "completed",
  variants: [aVariant({ position: 0, model_id: "m1" }), aVariant({ position: 1, model_id: "m2" })],
  case_count: 2,
});

const columns: Column[] = ["m1", "m2"].map((modelId, position) => ({
  key: modelId,
  modelId,
  versionId: null,
  parameters: null,
  label: null,
  position,
}));

interface PageProps {
  versionsOf?: string | null;
  shown?: RunDetail | null;
  metric?: Metric;
  hasGrader?: boolean;
  isHistorical?: boolean;
}

/** Parent component that holds the grid's state. */
function Page({
  shown = run,
  metric = "grade",
  hasGrader = true,
  isHistorical = false,
  versionsOf = null,
}: PageProps) {
  const [kept, setKept] = useState<Column[]>(columns);
  const [output, setOutput] = useState<string | undefined>();
  const [sort, setSort] = useState<RowSort | undefined>();
  return (
    <PlaygroundGrid
      {...{ project, metric, hasGrader, isHistorical, output }}
      run={shown}
      columns={kept}
      filters={{ sort }}
      canEdit
      versionsOf={versionsOf}
      cases={{ datasetId: null, inputs: { question: "Where?" }, expected: "" }}
      onSortChanged={setSort}
      onOutputChanged={setOutput}
      onColumnAdded={(settings) => setKept([...kept, newColumn(settings)])}
      onColumnEdited={(key, settings) => setKept(editColumn(kept, key, settings))}
      onColumnRemoved={(key) => setKept(removeColumn(kept, key))}
      onFiltersCleared={vi.fn()}
    />
  );
}

function serve(cells: Cell[]) {
  answer("get", `${at}/models`, { items: models, next: null, total: 2 });
  answer("get", `${at}/runs/r1/summary`, someResults());
  answer("get", `${at}/runs/r1/rows`, {
    items: [aRow(0, cells), aRow(1)],
    next: null,
    total: 2,
  });
}

const graded = aCell({
  id: "o1",
  preview: "Paris",
  grade: { value: 0.25, by: "grader" },
  scores: [{ scorer: 0, value: 0.25, is_passed: null, flag: null }],
});
const other = aCell({ id: "o2", variant_position: 1, preview: "Rome", status: "malformed" });

/** One-based. */
function nth(elements: readonly HTMLElement[], number: number): HTMLElement {
  const found = elements[number - 1];
  if (found === undefined) {
    throw new Error(`There are only ${elements.length}.`);
  }
  return found;
}

const cellAt = async (column: number) => {
  const row = await screen.findByRole("row", { name: /Paris|Rome/ });
  return nth(within(row).getAllByRole("gridcell"), column);
};

beforeEach(() => {
  // jsdom has no layout: elements get a size, so that rows are in view.
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(800);
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(1200);
});

describe("cells of the playground", () => {
  it("shows answers, what is wrong with them, and why they were graded so until one leaves", async () => {
    serve([graded, other]);
    answer("get", `${at}/outputs/o1`, {
      ...anOutput(),
      details: [{ ...graded.scores[0], rationale: "No sources.", criteria: null, cost_usd: null }],
    });
    const { user, container } = await renderPage(<Page />);
    expect(await cellAt(1)).toHaveTextContent("Paris");
    expect(await cellAt(2)).toHaveTextContent("MalformedRome");
    await user.click(screen.getByRole("button", { name: "Score 2.5/10. Show reasons" }));
    expect(await screen.findByText("No sources.")).toBeVisible();
    expect(await axeViolations(container)).toEqual([]);
    await user.hover(screen.getByRole("columnheader", { name: "Case" }));
    expect(await cellAt(1)).toHaveTextContent("Paris");
  });

  it("is worked with the keyboard alone", async () => {
    serve([graded, other]);
    answer("get", `${at}/outputs/o2`, anOutput({ id: "o2", variant_position: 1 }));
    answer("get", `${at}/outputs/o2/scores`, { value: null, items: [] });
    const thumbs = answer("put", `${at}/outputs/o2/scores`, { value: 1, items: [] });
    const again = answer("post", `${at}/outputs/o2/rerun`, run);
    const { user } = await renderPage(<Page hasGrader={false} />);
    (await cellAt(1)).focus();
    await user.keyboard("{ArrowRight}tt");
    await waitFor(() => expect(thumbs.map(({ body }) => body)).toHaveLength(2));
    expect(thumbs.map(({ body }) => (body as { answer: number }).answer)).toEqual([1, 0]);
    expect(await cellAt(2)).toHaveFocus();
    await user.keyboard("r");
    await waitFor(() => expect(again).toHaveLength(1));
    expect(await cellAt(2)).toHaveTextContent("Re-run");
    await user.keyboard("{Enter}");
    expect(await screen.findByRole("dialog", { name: "Case 1" })).toBeVisible();
  });

  it("takes a thumb back that the server refuses, and asks nothing of an earlier run", async () => {
    serve([other]);
    refuse("put", `${at}/outputs/o2/scores`, 409, { code: "CONFLICT", message: "Too late." });
    const { user } = await renderPage(<Page hasGrader={false} isHistorical />);
    await user.hover(await cellAt(2));
    expect(screen.getByRole("button", { name: "Copy answer" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Re-run" })).toBeNull();
    await user.click(screen.getByRole("button", { name: /^Not scored/ }));
    expect(await screen.findByText("Too late.")).toBeVisible();
    expect(screen.getByRole("button", { name: /^Not scored/ })).toBeVisible();
  });
});

describe("columns of the playground", () => {
  it("can be added, changed and removed, and lose answers that are not theirs", async () => {
    serve([graded, other]);
    const { user } = await renderPage(<Page />);
    refuse("get", `${at}/known-models`, 404, { code: "NOT_FOUND" });
    await cellAt(1);
    await user.click(await screen.findByRole("button", { name: "Edit OpenAI / GPT-4o" }));
    await user.type(await screen.findByRole("combobox", { name: "Search models" }), "claude");
    await user.click(screen.getByRole("option", { name: /Claude/ }));
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findAllByRole("button", { name: "Edit Anthropic / Claude" })).toHaveLength(
      2,
    );
    expect(screen.queryByText("Paris")).toBeNull();
    expect(screen.getByText("Rome")).toBeVisible();
    await user.click(nth(screen.getAllByRole("button", { name: "Remove Anthropic / Claude" }), 1));
    expect(screen.getByText("Rome")).toBeVisible();
    expect(screen.queryByRole("button", { name: /^Remove/ })).toBeNull();
  });

  it("take another version, and are named after it unless they have a name", async () => {
    serve([graded, other]);
    refuse("get", `${at}/known-models`, 404, { code: "NOT_FOUND" });
    const version = { id: "ve3", label: "v3", name: "Kinder" };
    answer("get", `${at}/prompts/pr1/versions`, { items: [version], next: null, total: 1 });
    const { user } = await renderPage(<Page versionsOf="pr1" />);
    await cellAt(1);
    await user.click(await screen.findByRole("button", { name: "Edit OpenAI / GPT-4o" }));
    await user.click(await screen.findByRole("combobox", { name: /^Prompt version/ }));
    await user.click(await screen.findByRole("option", { name: /v3/ }));
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findByRole("button", { name: "Edit OpenAI / GPT-4o v3" })).toBeVisible();
    expect(screen.queryByText("Paris")).toBeNull();
  });

  it("sort the rows by what they show", async () => {
    serve([graded, other]);
    const { user } = await renderPage(<Page metric="latency" />);
    await cellAt(1);
    const seen = answer("get", `${at}/runs/r1/rows`, {
      items: [aRow(1), aRow(0, [graded, other])],
      next: null,
      total: 2,
    });
    const sort = await screen.findByRole("button", {
      name: "Sort by Latency of Anthropic / Claude",
    });
    await user.click(sort);
    await waitFor(() => expect(seen.at(-1)?.url.searchParams.get("sort")).toBe("-latency.1"));
    expect(nth(screen.getAllByRole("columnheader"), 3)).toHaveAttribute("aria-sort", "descending");
    await waitFor(() =>
      expect(screen.getAllByRole("rowheader").map((row) => row.textContent)).toEqual([
        "2",
        "1",
        "Mean",
      ]),
    );
    await user.click(screen.getByRole("button", { name: /^Sorted by Latency/ }));
    await waitFor(() => expect(seen.at(-1)?.url.searchParams.get("sort")).toBe("latency.1"));
  });

  it("sums up what cells show", async () => {
    serve([graded, other]);
    await renderPage(<Page metric="tokens" />);
    const summary = (await screen.findByRole("rowheader", { name: "Mean" })).parentElement;
    await waitFor(() => expect(summary).toHaveTextContent("100 | 5045 to 55"));
    expect(await cellAt(1)).toHaveTextContent("12 | 3");
  });
});

describe("before any run", () => {
  it("shows the rows that a run would have", async () => {
    answer("get", `${at}/models`, { items: models, next: null, total: 2 });
    const { user } = await renderPage(<Page shown={null} />);
    const row = await screen.findByRole("rowheader", { name: "1" });
    expect(screen.getAllByText("Not run yet")).toHaveLength(2);
    // A row opens once its case has loaded.
    await waitFor(async () => {
      await user.click(row);
      expect(screen.getByRole("dialog", { name: "Case 1" })).toHaveTextContent("Where?");
    });
  });
});
