import { vi } from "vitest";
import { aProject } from "@/testing/builders";
import { anExperiment } from "@/testing/experiment-builders";
import { answer } from "@/testing/fake-server";
import { describeListStates } from "@/testing/list-states";
import { ExperimentsPage } from "./experiments-page";

describeListStates("the list of experiments", {
  page: () => (
    <ExperimentsPage
      project={aProject({ role: "EDITOR" })}
      filters={{}}
      onFiltersChanged={vi.fn()}
      onSetupOpened={vi.fn()}
      onReportOpened={vi.fn()}
      onCompared={vi.fn()}
    />
  ),
  path: `projects/${aProject().slug}/experiments`,
  row: { ...anExperiment() },
  empty: "Measurably improve a prompt",
  command: "Duplicate",
  around: () => {
    answer("get", `projects/${aProject().slug}/experiments/templates`, []);
  },
});
