import { anAbTest } from "@/testing/ab-test-builders";
import { describePage, listOf } from "@/testing/pages";

describePage("/p/$slug/ab-tests", {
  reads: "ab-tests",
  filled: listOf(anAbTest()),
  shows: ["link", "Brief replies"],
  command: "lists.duplicate",
  empty: { text: "abTests.empty.title", next: ["button", "abTests.new"] },
});

describePage("/p/$slug/ab-tests/$testId", {
  params: { testId: "t1" },
  reads: "ab-tests/t1",
  filled: anAbTest(),
  shows: ["heading", "Brief replies"],
});
