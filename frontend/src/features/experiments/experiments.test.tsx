import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { aProject } from "@/testing/builders";
import { anExperiment } from "@/testing/experiment-builders";
import { answer, refuse } from "@/testing/fake-server";
import { aFinishedExperiment, anIterationSummary, aReport } from "@/testing/iteration-summaries";
import { axeViolations, renderPage } from "@/testing/render";
import { aComparison, aMean } from "@/testing/results-builders";
import { ComparePage } from "./compare/compare-page";
import { commandsFor } from "./experiment-menu";
import { ExperimentPage } from "./experiment-page";
import { ExperimentsPage } from "./experiments-page";
import { ReportPage } from "./report/report-page";
import { decisionOf, listActivity, nextStepOf } from "./situation";

const project = aProject();
const PATH = `projects/${project.slug}/experiments`;
const ways = { onSetupOpened: vi.fn(), onReportOpened: vi.fn(), onCompared: vi.fn() };

function renderList(role: "OWNER" | "VIEWER" = "OWNER") {
  return renderPage(
    <ExperimentsPage
      project={aProject({ role })}
      filters={{}}
      onFiltersChanged={vi.fn()}
      {...ways}
    />,
  );
}

async function renderDetail(experiment = aFinishedExperiment(), onIterationOpened = vi.fn()) {
  answer("get", `${PATH}/e1`, experiment);
  for (const library of ["models", "prompts", "datasets"]) {
    answer("get", `projects/${project.slug}/${library}`, { items: [], next: null, total: 0 });
  }
  return renderPage(
    <ExperimentPage
      project={project}
      experimentId="e1"
      onIterationOpened={onIterationOpened}
      onLeft={vi.fn()}
      {...ways}
    />,
  );
}

describe("what comes next", () => {
  it("is one thing for every state", () => {
    const review = anIterationSummary({
      suggestions: [
        { id: "s1", number: 1, origin: "refiner", state: "pending", targets: [], decided_at: null },
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

  it("tells what happened, the latest first", () => {
    expect(listActivity(aFinishedExperiment()).map(({ kind, number }) => [kind, number])).toEqual([
      ["ended", 2],
      ["started", 2],
      ["ended", 1],
      ["approved", 1],
      ["started", 1],
      ["created", undefined],
    ]);
  });

  it("offers no way to lose what is under way", () => {
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
    expect(row).toHaveTextContent("7.4 / 10 · v2");
    expect(row).toHaveTextContent("+1.4");
    expect(row).toHaveTextContent("2 of 10");
    expect(row).toHaveTextContent("$0.08 of $5.00");
    expect(await axeViolations(container)).toEqual([]);
    await user.click(screen.getByRole("button", { name: "More for Parcels" }));
    await user.click(screen.getByRole("menuitem", { name: "Delete" }));
    const dialog = screen.getByRole("dialog");
    expect(dialog).toHaveTextContent("Runs, versions of the prompt and what it cost stay.");
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
    await user.click(
      await screen.findByRole("button", { name: "Use the template Customer support" }),
    );
    await waitFor(() => expect(ways.onSetupOpened).toHaveBeenCalledWith("e9"));
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
      /between two iterations/,
    );
  });

  it("says that there is none", async () => {
    const problem = { code: "NOT_FOUND", message: "There is no such experiment." };
    refuse("get", `${PATH}/e1/report`, 404, problem);
    await renderPage(<ReportPage project={project} experimentId="e1" />);
    expect(await screen.findByText("There is no such experiment.")).toBeVisible();
  });
});

describe("the report", () => {
  it("says what was gained and takes it away in every form", async () => {
    answer("get", `${PATH}/e1/report`, aReport());
    answer("get", `${PATH}/e1`, aFinishedExperiment());
    const { user, container } = await renderPage(
      <ReportPage project={project} experimentId="e1" />,
    );
    expect(await screen.findByText("Nothing more is gained.")).toBeVisible();
    expect(screen.getByRole("table", { name: "First, best and last" })).toHaveTextContent(
      "Best, Last",
    );
    expect(screen.getByRole("table", { name: "Cost and tokens" })).toHaveTextContent("69.2%");
    expect(screen.getByRole("table", { name: "Change by criterion" })).toHaveTextContent("+3.0");
    expect(screen.getByText("Mark v2 as the production version.")).toBeVisible();
    expect(await axeViolations(container)).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Export" }));
    const links = screen.getAllByRole("menuitem").map((link) => link.getAttribute("href"));
    expect(links).toEqual(
      ["pdf", "md", "csv", "txt", "zip"].map(
        (format) => `/api/v1/${PATH}/e1/report/export?format=${format}`,
      ),
    );
  });
});

describe("two experiments", () => {
  it("are compared in words, with what else differs", async () => {
    const side = (id: string, name: string, mean: number) => ({
      summary: aFinishedExperiment({ id, name }),
      criteria: [{ key: "s0.0", name: "Tone", weight: 1, mean }],
      variants: [],
      trend: aReport().trend,
    });
    const other = side("e2", "Letters", 0.5);
    answer("get", PATH, { items: [other.summary], next: null, total: 1 });
    answer("get", `${PATH}/e1/compare/e2`, {
      left: side("e1", "Parcels", 0.8),
      right: other,
      verdict: aComparison({ difference: aMean(-0.3), verdict: "worse" }),
      basis: "holdout",
      differences: ["They have different judges."],
    });
    const { container } = await renderPage(
      <ComparePage project={project} experimentId="e1" otherId="e2" onOtherChosen={vi.fn()} />,
    );
    expect(
      await screen.findByText("The best version of Letters is worse than that of Parcels."),
    ).toBeVisible();
    expect(screen.getByText("They have different judges.")).toBeVisible();
    expect(screen.getByRole("table", { name: "By criterion" })).toHaveTextContent("−3.0");
    expect(await axeViolations(container)).toEqual([]);
  });
});
