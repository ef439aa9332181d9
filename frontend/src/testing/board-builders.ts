import type { Board, BoardDataset, BoardHeadline, BoardRow } from "@/api/arena";

export const aBoardDataset = (changes: Partial<BoardDataset> = {}): BoardDataset => ({
  dataset_id: "d1",
  name: "Parcels",
  cases: 32,
  runs: 2,
  models: 2,
  last_run_at: "2026-03-05T09:00:00Z",
  ...changes,
});

export const aBoardRow = (changes: Partial<BoardRow> = {}): BoardRow => ({
  model_id: "m1",
  name: "Large",
  family: "large",
  is_simulated: false,
  is_compared: true,
  rank_best: 1,
  rank_worst: 1,
  score: 0.8,
  score_low: 0.7,
  score_high: 0.9,
  people: null,
  judges: null,
  pass_rate: 0.75,
  answer_usd: "0.01",
  p50_seconds: 1.2,
  p95_seconds: 3.4,
  answers: 32,
  failures: 0,
  cases: 32,
  is_on_front: true,
  is_own_judge: false,
  ...changes,
});

export const aBoardHeadline = (changes: Partial<BoardHeadline> = {}): BoardHeadline => ({
  decision: "separated",
  cases: 32,
  leading_id: "m1",
  tied_ids: [],
  cheapest_id: null,
  saving: null,
  rival_id: "m2",
  difference: 0.2,
  low: 0.1,
  high: 0.3,
  p_value: 0.004,
  ...changes,
});

/** A board with two models that are separated. */
export function aBoard(changes: Partial<Board> = {}): Board {
  return {
    dataset_ids: ["d1"],
    scorer_set: "s1",
    scorer_sets: [{ key: "s1", scorers: [{ kind: "exact", label: "Exact", weight: 1 }], runs: 2 }],
    runs: 2,
    older_runs: 0,
    cases: 32,
    all_cases: 40,
    tags: ["billing"],
    difficulties: [1, 4],
    headline: aBoardHeadline(),
    rows: [
      aBoardRow(),
      aBoardRow({
        model_id: "m2",
        name: "Small",
        rank_best: 2,
        rank_worst: 2,
        score: 0.6,
        score_low: 0.5,
        score_high: 0.7,
        answer_usd: "0.001",
        p50_seconds: 0.4,
      }),
    ],
    ...changes,
  };
}
