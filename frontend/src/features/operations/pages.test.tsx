import { someOperations } from "@/testing/operations-builders";
import { describePage, listOf } from "@/testing/pages";

describePage("/p/$slug/operations", {
  reads: "operations",
  filled: someOperations(),
  shows: ["cell", /edison-1/],
  empty: { answer: someOperations({ processes: [] }), text: "operations.dead.empty" },
  responses: { "operations/dead-jobs": listOf() },
});
