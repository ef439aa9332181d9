import { aRun } from "@/testing/run-builders";
import { aBoard, aBoardDataset } from "@/testing/board-builders";
import { describeFailedReads, describePage, listOf } from "@/testing/pages";
import { aVotingMatch, aVotingRound } from "@/testing/voting-builders";

describePage("/p/$slug/arena", {
  reads: "arena/datasets",
  filled: [aBoardDataset()],
  shows: ["table", "arena.table"],
  empty: { answer: [], text: "arena.first.title", next: ["button", "arena.first.sample"] },
  responses: { "arena/board": aBoard() },
});

describeFailedReads("/p/$slug/arena", {
  lists: ["arena/board"],
  responses: { "arena/datasets": [aBoardDataset()], "arena/board": aBoard() },
});

describePage("/p/$slug/arena/voting", {
  reads: "voting-rounds",
  filled: listOf(aVotingRound()),
  shows: ["link", "March votes"],
  command: "lists.delete",
  empty: { text: "voting.empty.title", next: ["button", "voting.new.action"] },
});

describePage("/p/$slug/arena/voting/$roundId", {
  params: { roundId: "r1" },
  reads: "voting-rounds/r1",
  filled: aVotingRound(),
  shows: ["heading", "March votes"],
  responses: {
    "POST voting-rounds/r1/next": { round: aVotingRound(), match: aVotingMatch() },
  },
});

describePage("/p/$slug/arena/questions", {
  reads: "runs",
  filled: listOf(aRun({ name: "Questions of March", origin: "questions" })),
  shows: ["link", "Questions of March"],
  empty: { text: "questions.empty.title", next: ["button", "questions.new.action"] },
});
