import { aBoard, aBoardDataset } from "@/testing/board-builders";
import { describeFailedReads, describePage, listOf } from "@/testing/pages";
import { aJudgedQuestion, aQuestionReport } from "@/testing/question-builders";
import { someResults } from "@/testing/results-builders";
import { aRun } from "@/testing/run-builders";
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

const judged = {
  params: { runId: "r1" },
  responses: {
    "runs/r1": aRun({ id: "r1", name: "Questions of March", state: "completed" }),
    "runs/r1/summary": someResults(),
    "runs/r1/questions": aQuestionReport(),
    "runs/r1/questions/rows": listOf(aJudgedQuestion()),
  },
};

describePage("/p/$slug/arena/questions/$runId", {
  ...judged,
  reads: "runs/r1/questions",
  filled: aQuestionReport(),
  shows: ["heading", "Questions of March"],
});

describeFailedReads("/p/$slug/arena/questions/$runId", {
  ...judged,
  lists: ["runs/r1/questions/rows"],
});
