import { aQueue } from "@/testing/annotation-builders";
import { describeFailedReads, describePage, listOf } from "@/testing/pages";

describePage("/p/$slug/annotation", {
  reads: "annotation-queues",
  filled: listOf(aQueue()),
  shows: ["link", "Refund replies"],
  command: "annotation.actions.pause",
  empty: { text: "annotation.empty.title", next: ["button", "annotation.empty.action"] },
});

describePage("/p/$slug/annotation/$queueId", {
  params: { queueId: "q1" },
  reads: "annotation-queues/q1",
  filled: aQueue({ state: "paused" }),
  shows: ["heading", "Refund replies"],
});

describePage("/p/$slug/annotation/$queueId/results", {
  params: { queueId: "q1" },
  reads: "annotation-queues/q1/results",
  filled: {
    queue: aQueue(),
    mean: 0.8,
    agreement: { alpha: null, items: 0, near_share: null, pairs: 0, share: null },
    people: [],
    skips: [],
    variants: [],
  },
  shows: ["heading", /Refund replies/],
});

describeFailedReads("/p/$slug/annotation", { search: "?create=true", lists: ["runs", "members"] });
