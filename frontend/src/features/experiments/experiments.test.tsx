import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { ActivityEntry } from "@/api/types";
import { aProject } from "@/testing/builders";
import { anExperiment } from "@/testing/experiment-builders";
import { answer } from "@/testing/fake-server";
import { aFinishedExperiment, anIterationSummary } from "@/testing/iteration-summaries";
import { axeViolations, renderPage } from "@/testing/render";
import { commandsFor } from "./use-experiment-commands";
import { ExperimentPage } from "./experiment-page";
import { ExperimentsPage } from "./experiments-page";
import { decisionOf, nextStepOf } from "./situation";

const project = aProject();
const PATH = `projects/${project.slug}/experiments`;
const handlers = { onSetupOpened: vi.fn(), onReportOpened: vi.fn(), onCompared: vi.fn() };

function renderList(role: "OWNER" | "VIEWER" = "OWNER") {
  return renderPage(
    <ExperimentsPage
      project={aProject({ role })}
      filters={{}}
      onFiltersChanged={vi.fn()}
      {...handlers}
    />,
  );
}

function anEntry(over: Partial<ActivityEntry>): ActivityEntry {
  return {
    at: "2026-03-02T11:00:00Z",
    kind: "created",
    actor: null,
    iteration: null,
    iteration_id: null,
    version_label: null,
    suggestion_id: null,
    count: null,
    message: null,
    ...over,
  };
}

async function renderDetail(
  experiment = aFinishedExperiment(),
  onIterationOpened = vi.fn(),
  entries: readonly ActivityEntry[] = [],
) {
  answer("get", `${PATH}/e1`, experiment);
  answer("get", `${PATH}/e1/activity`, { entries, total: entries.length });
  for (const library of ["models", "prompts", "datasets"]) {
    answer("get", `projects/${project.slug}/${library}`, { items: [], next: null, total: 0 });
  }
  return renderPage(
    <ExperimentPage
      project={project}
      experimentId="e1"
      onIterationOpened={onIterationOpened}
      onLeft={vi.fn()}
      {...handlers}
    />,
  );
}

describe("what comes next", () => {
  it("is one thing for every state", () => {
    const review = anIterationSummary({
      suggestions: [
        {
          id: "s1",
          number: 1,
          origin: "refiner",
          state: "pending",
          targets: [],
          trial_difference: null,
          decided_at: null,
        },
      ],
    });
    const iterations = [review];
    expect(nextStepOf(anExperiment()).kind).toBe("setup");
    expect(nextStepOf(anExperiment({ state: "ready" }))).toMatchObject({
      kind: "start",
      number: 1,
    });
    expect(nextStepOf(anExperiment({ state: "running", iterations })).kind).toBe("follow");
    expect(nextStepOf(anExperiment({ state: "paused", iterations })).kind).toBe("resume");
    expect(nextStepOf(anExperiment({ state: "reviewing", iterations }))).toMatchObject({
      kind: "review",
      suggestionId: "s1",
    });
    expect(
      nextStepOf(anExperiment({ state: "reviewing", iterations: [anIterationSummary()] })).kind,
    ).toBe("write");
    expect(nextStepOf(aFinishedExperiment()).kind).toBe("report");
    expect(nextStepOf(aFinishedExperiment({ archived_at: "2026-03-03T00:00:00Z" })).kind).toBe(
      "archived",
    );
    expect(decisionOf(review)).toBe("pending");
    expect(
      decisionOf(anIterationSummary({ refinement: { unchanged: ["Fine."], failures: [] } })),
    ).toBe("unchanged");
  });

  it("offers no destructive action while an iteration is in progress", () => {
    const shown = { state: "reviewing", archived_at: null, iteration_count: 1 } as const;
    expect(commandsFor(shown, true)).toEqual(["report", "compare", "rename", "duplicate"]);
    expect(commandsFor(shown, false)).toEqual(["report", "compare"]);
    expect(commandsFor({ ...shown, state: "draft", iteration_count: 0 }, true)).toEqual([
      "setup",
      "rename",
      "duplicate",
      "archive",
      "delete",
    ]);
  });
});

describe("the list of experiments", () => {
  it("says what was gained and what it cost, and asks for the name before deleting", async () => {
    answer("get", PATH, { items: [aFinishedExperiment()], next: null, total: 1 });
    const removed = answer("delete", `${PATH}/e1`, null, { status: 204 });
    const { user, container } = await renderList();
    const row = (await screen.findByRole("link", { name: "Parcels" })).closest("tr");
    expect(row).toHaveTextContent("Completed");
    expect(row).toHaveTextContent("7.4/10 · v2");
    expect(row).toHaveTextContent("+1.4");
    expect(row).toHaveTextContent("2 of 10");
    expect(row).toHaveTextContent("$0.08 of $5.00");
    expect(await axeViolations(container)).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Actions for Parcels" }));
    await user.click(screen.getByRole("menuitem", { name: "Delete" }));
    const dialog = screen.getByRole("dialog");
    expect(dialog).toHaveTextContent("Runs, prompt versions and ledger entries are kept.");
    await user.type(within(dialog).getByRole("textbox"), "Parcels");
    await user.click(within(dialog).getByRole("button", { name: "Delete" }));
    await waitFor(() => expect(removed).toHaveLength(1));
  });

  it("gives newcomers something to begin with", async () => {
    answer("get", PATH, { items: [], next: null, total: 0 });
    answer("get", `${PATH}/templates`, [
      {
        key: "customer_support",
        name: "Customer support",
        description: "Replies to customers.",
        goal: "Reply.",
        criteria: ["Empathy"],
        cases: 12,
      },
    ]);
    const created = answer("post", PATH, anExperiment({ id: "e9" }), { status: 201 });
    const { user } = await renderList();
    await user.click(await screen.findByRole("button", { name: "Use template Customer support" }));
    await waitFor(() => expect(handlers.onSetupOpened).toHaveBeenCalledWith("e9"));
    expect(created[0]?.body).toEqual({ template: "customer_support" });
  });
});

describe("an experiment", () => {
  it("lists every reason against a start at once", async () => {
    answer("get", `${PATH}/e1/readiness`, {
      is_ready: false,
      reasons: [
        { code: "budget_exceeded", message: "The budget is used up." },
        { code: "no_cases", message: "There is no case." },
      ],
    });
    const { container } = await renderDetail(anExperiment({ state: "ready" }));
    expect(await screen.findByText("The budget is used up.")).toBeVisible();
    expect(screen.getByText("There is no case.")).toBeVisible();
    expect(screen.getByRole("button", { name: "Start iteration 1" })).toHaveAttribute(
      "aria-disabled",
      "true",
    );
    expect(await axeViolations(container)).toEqual([]);
  });

  it("starts an iteration and leads to it", async () => {
    answer("get", `${PATH}/e1/readiness`, { is_ready: true, reasons: [] });
    answer("post", `${PATH}/e1/iterations`, anIterationSummary({ id: "i7" }), { status: 201 });
    const opened = vi.fn();
    const { user } = await renderDetail(anExperiment({ state: "ready" }), opened);
    const start = await screen.findByRole("button", { name: "Start iteration 1" });
    await waitFor(() => expect(start).not.toHaveAttribute("aria-disabled"));
    await user.click(start);
    await waitFor(() => expect(opened).toHaveBeenCalledWith("i7"));
  });

  it("shows iterations, the best version with its warnings, and why it cannot be edited", async () => {
    await renderDetail(aFinishedExperiment({ state: "running", is_editable: false }));
    const table = await screen.findByRole("table", { name: "Iterations" });
    expect(within(table).getAllByRole("row")[1]).toHaveTextContent("Iteration 2v2Best");
    expect(within(table).getAllByRole("row")[2]).toHaveTextContent("Approved");
    expect(screen.getByText("Only 8 cases are held out.")).toBeVisible();
    expect(screen.getByText("Greets first.")).toBeVisible();
    expect(screen.getByRole("button", { name: "Edit configuration" })).toHaveAccessibleDescription(
      /between iterations/,
    );
  });

  it("shows events with their authors and links", async () => {
    const [first] = aFinishedExperiment().iterations;
    const [approved] = first?.suggestions ?? [];
    const iteration = { iteration: 1, iteration_id: "i1", version_label: "v1" };
    const entries = [
      anEntry({
        kind: "approved",
        actor: "ada@example.org",
        suggestion_id: approved?.id ?? "",
        message: "Good idea.",
        ...iteration,
      }),
      anEntry({ kind: "suggested", suggestion_id: "s1", count: 3, ...iteration }),
      anEntry({ kind: "paused", actor: "bob@example.org", ...iteration }),
      ...Array.from({ length: 10 }, (_, index) =>
        anEntry({
          kind: "configured",
          at: `2026-03-01T10:0${index}:00Z`,
          actor: "ada@example.org",
        }),
      ),
    ];
    const { user } = await renderDetail(undefined, undefined, entries);
    const card = await screen.findByRole("region", { name: "Activity" });
    const link = await within(card).findByRole("link", {
      name: "ada@example.org approved a suggestion from iteration 1",
    });
    expect(link).toHaveAttribute("href", `/p/${project.slug}/reviews/${approved?.id}`);
    expect(card).toHaveTextContent("Good idea.");
    expect(card).toHaveTextContent("Edison suggested 3 changes after iteration 1");
    expect(
      within(card).getByRole("link", { name: "bob@example.org paused iteration 1" }),
    ).toHaveAttribute("href", `/p/${project.slug}/experiments/e1/iterations/i1`);
    expect(within(card).getAllByRole("listitem")).toHaveLength(12);
    await user.click(within(card).getByRole("button", { name: "Show 1 more" }));
    expect(within(card).getAllByRole("listitem")).toHaveLength(13);
    expect(
      within(screen.getByRole("table", { name: "Iterations" })).getAllByRole("row")[2],
    ).toHaveTextContent("Approvedby ada@example.org");
  });
});
