import { anAbTest } from "@/testing/ab-test-builders";
import { describeFailedReads, describePage, listOf } from "@/testing/pages";

const FORM = { "scorers/kinds": [] };

describePage("/p/$slug/ab-tests", {
  reads: "ab-tests",
  filled: listOf(anAbTest()),
  shows: ["link", "Brief replies"],
  command: "lists.duplicate",
  empty: { text: "abTests.empty.title", next: ["link", "abTests.new"] },
});

describePage("/p/$slug/ab-tests/$testId", {
  params: { testId: "t1" },
  reads: "ab-tests/t1",
  filled: anAbTest(),
  shows: ["heading", "Brief replies"],
});

describePage("/p/$slug/ab-tests/new", {
  reads: "models",
  filled: listOf(),
  shows: ["textbox", /^Name/],
  empty: null,
  responses: FORM,
});

describePage("/p/$slug/ab-tests/$testId/edit", {
  params: { testId: "t1" },
  reads: "ab-tests/t1",
  filled: anAbTest({ state: "draft" }),
  shows: ["button", "ui.save"],
  responses: FORM,
});

describeFailedReads("/p/$slug/ab-tests/new", {
  responses: FORM,
  lists: ["prompts", "models", "datasets", "scorers", "scorers/kinds"],
});
