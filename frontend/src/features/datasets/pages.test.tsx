import { aModel } from "@/testing/builders";
import { aDataset } from "@/testing/library-builders";
import { describeFailedReads, describePage, listOf } from "@/testing/pages";

describePage("/p/$slug/datasets", {
  reads: "datasets",
  filled: listOf(aDataset()),
  shows: ["link", "Golden"],
  command: "lists.archive",
  empty: { text: "datasets.empty.title", next: ["button", "datasets.import.action"] },
});

describePage("/p/$slug/datasets/$datasetId", {
  params: { datasetId: "d1" },
  reads: "datasets/d1",
  filled: { ...aDataset({ case_count: 0 }), last_change: null },
  shows: ["heading", "Golden"],
});

describeFailedReads("/p/$slug/datasets/$datasetId", {
  params: { datasetId: "d1" },
  search: "?generate=adversarial",
  responses: {
    "datasets/d1": { ...aDataset({ case_count: 0 }), last_change: null },
    models: listOf(aModel()),
  },
  lists: ["prompts", "models", "datasets/d1/generations"],
});
