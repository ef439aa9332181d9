import { screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { aProject } from "@/testing/builders";
import { anExperiment } from "@/testing/experiment-builders";
import { answer } from "@/testing/fake-server";
import { anIterationSummary, someMetrics } from "@/testing/iteration-summaries";
import { renderPage } from "@/testing/render";
import { aRun } from "@/testing/run-builders";
import { ExperimentPage } from "./experiment-page";

const project = aProject();
const PATH = `projects/${project.slug}`;

it("draws no trend while no iteration has a score", async () => {
  const none = { value: null, interval: null, cases: 0 };
  const metrics = someMetrics({ train: none, holdout: none, failed: 8 });
  const iterations = [anIterationSummary({ state: "failed", metrics })];
  answer("get", `${PATH}/experiments/e1`, anExperiment({ state: "running", iterations }));
  answer("get", `${PATH}/experiments/e1/activity`, { entries: [], total: 0 });
  answer("get", `${PATH}/runs/r1`, aRun());
  for (const library of ["models", "prompts", "datasets"]) {
    answer("get", `${PATH}/${library}`, { items: [], next: null, total: 0 });
  }
  await renderPage(
    <ExperimentPage
      project={project}
      experimentId="e1"
      onIterationOpened={vi.fn()}
      onLeft={vi.fn()}
      onSetupOpened={vi.fn()}
      onReportOpened={vi.fn()}
      onCompared={vi.fn()}
    />,
  );
  expect(await screen.findByRole("table", { name: "Iterations" })).toBeVisible();
  expect(screen.queryByRole("heading", { name: "Score by iteration" })).not.toBeInTheDocument();
});
