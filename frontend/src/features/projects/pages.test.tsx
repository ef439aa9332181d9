import { aProject } from "@/testing/builders";
import { aDataset } from "@/testing/library-builders";
import { describePage, listOf } from "@/testing/pages";

describePage("/projects", {
  reads: "/projects",
  filled: listOf(aProject()),
  shows: ["link", /Support answers/],
  empty: { text: "projects.welcome", next: ["button", "projects.createFirst"] },
});

describePage("/p/$slug", {
  reads: "datasets",
  filled: listOf(aDataset()),
  shows: ["link", "Golden"],
  empty: { text: "home.noDatasets" },
});
