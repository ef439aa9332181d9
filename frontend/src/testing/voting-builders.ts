import type { VotingMatch, VotingResults, VotingRound } from "@/api/arena";

export const aVotingRound = (changes: Partial<VotingRound> = {}): VotingRound => ({
  id: "r1",
  name: "March votes",
  instructions: null,
  state: "open",
  people_per_match: 1,
  match_count: 20,
  seat_count: 20,
  vote_count: 4,
  my_votes: 4,
  named_count: 0,
  identical_count: 0,
  created_at: "2026-03-05T09:00:00Z",
  closed_at: null,
  ...changes,
});

export const aVotingMatch = (changes: Partial<VotingMatch> = {}): VotingMatch => ({
  id: "k1",
  turn: 1,
  inputs: { question: "Where is my parcel?" },
  first: "It is on its way.",
  second: "No idea.",
  lease_until: "2026-03-05T09:10:00Z",
  ...changes,
});

const aVotedModel = (changes: Partial<VotingResults["models"][number]>) => ({
  variant: 0,
  label: "Small",
  model_id: "m1",
  model_name: "Small",
  points: 950,
  low: 900,
  high: 1000,
  wins: 4,
  losses: 9,
  ties: 2,
  ...changes,
});

/** Results of a closed round; the second model won. */
export const votingResults = (changes: Partial<VotingResults> = {}): VotingResults => ({
  round: aVotingRound({ state: "closed", closed_at: "2026-03-05T10:00:00Z" }),
  run_id: "run1",
  models: [
    aVotedModel({}),
    aVotedModel({
      variant: 1,
      label: "Large",
      model_name: "Large",
      points: 1050,
      low: 1000,
      high: 1100,
    }),
  ],
  voters: [{ user_id: "u1", name: "Ada", votes: 15, repeats: 2, consistency: 1 }],
  first_advantage: 12,
  tie_share: 0.1,
  consistency: 1,
  judge_agreement: 0.8,
  judged_count: 10,
  ...changes,
});
