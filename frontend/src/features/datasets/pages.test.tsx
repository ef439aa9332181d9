import { aDataset } from "@/testing/library-builders";
import { describePage, listOf } from "@/testing/pages";

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
