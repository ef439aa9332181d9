import { aFinishedExperiment } from "@/testing/iteration-summaries";
import { anIteration } from "@/testing/iteration-builders";
import { describePage } from "@/testing/pages";
import { aRun } from "@/testing/run-builders";

describePage("/p/$slug/experiments/$experimentId/iterations/$iterationId", {
  params: { experimentId: "e1", iterationId: "i2" },
  reads: "experiments/e1/iterations/i2",
  filled: anIteration(),
  shows: ["heading", /2/],
  responses: { "experiments/e1": aFinishedExperiment(), "runs/:run": aRun({ state: "completed" }) },
});
