import { describeFailedReads, describePage, listOf } from "@/testing/pages";
import { aRun } from "@/testing/run-builders";

describePage("/p/$slug/runs", {
  reads: "runs",
  filled: listOf(aRun()),
  shows: ["link", "Reply on Golden"],
  command: "lists.rename",
  empty: { text: "runs.empty.title", next: ["link", "runs.empty.action"] },
});

describePage("/p/$slug/runs/$runId", {
  params: { runId: "r1" },
  reads: "runs/r1",
  filled: aRun({ state: "completed" }),
  shows: ["heading", "Reply on Golden"],
});

describeFailedReads("/p/$slug/runs/new", {
  responses: { "scorers/kinds": [], "comparers/kinds": [] },
  lists: ["prompts", "models", "datasets", "scorers", "scorers/kinds", "comparers/kinds"],
});
