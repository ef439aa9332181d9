import { anExperiment } from "@/testing/experiment-builders";
import { aFinishedExperiment, aReport } from "@/testing/iteration-summaries";
import { describeFailedReads, describePage, listOf } from "@/testing/pages";
import { aComparison } from "@/testing/results-builders";

const responses = {
  "experiments/templates": [],
  "experiments/e1": aFinishedExperiment(),
  "experiments/e1/activity": { entries: [], total: 0 },
};
const side = (id: string, name: string) => ({
  summary: aFinishedExperiment({ id, name }),
  criteria: [],
  variants: [],
  trend: aReport().trend,
});

describePage("/p/$slug/experiments", {
  reads: "experiments",
  filled: listOf(anExperiment({ name: "Parcels" })),
  shows: ["link", "Parcels"],
  command: "lists.duplicate",
  empty: { text: "experiments.empty.title", next: ["link", "experiments.empty.action"] },
  responses,
});

describePage("/p/$slug/experiments/$experimentId", {
  params: { experimentId: "e1" },
  reads: "experiments/e1",
  filled: aFinishedExperiment({ name: "Parcels" }),
  shows: ["heading", "Parcels"],
  responses,
});

describePage("/p/$slug/experiments/$experimentId/report", {
  params: { experimentId: "e1" },
  reads: "experiments/e1/report",
  filled: aReport({ name: "Parcels" }),
  shows: ["heading", /Parcels/],
  responses,
});

describePage("/p/$slug/experiments/$experimentId/compare/$otherId", {
  params: { experimentId: "e1", otherId: "e2" },
  reads: "experiments/e1/compare/e2",
  filled: {
    left: side("e1", "Parcels"),
    right: side("e2", "Letters"),
    verdict: aComparison(),
    basis: "holdout",
    differences: [],
  },
  shows: ["link", "Letters"],
  responses,
});

describeFailedReads("/p/$slug/experiments", { responses, lists: ["experiments/templates"] });
