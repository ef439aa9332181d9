import type {
  Candidate,
  CandidateDetail,
  Optimization,
  OptimizationDraft,
  OptimizationEstimate,
} from "@/api/types";

const AT = "2026-03-05T09:00:00Z";

export function aCandidate(changes: Partial<Candidate> = {}): Candidate {
  return {
    number: 2,
    generation: 1,
    origin: "strategy",
    operator: "edit",
    state: "measured",
    parents: [0],
    note: "Asks for a greeting.",
    mean: 0.61,
    gain: 0.21,
    gain_low: 0.15,
    gain_high: 0.27,
    cases: 8,
    elimination: null,
    ...changes,
  };
}

const PARTS = { text: "Answer {{question}}.\n", system: null, few_shots: [] };

export function aCandidateDetail(changes: Partial<CandidateDetail> = {}): CandidateDetail {
  return {
    ...aCandidate(),
    ...PARTS,
    text: "Greet. Answer {{question}}.\n",
    base: PARTS,
    diff: "-Answer\n+Greet. Answer\n",
    targets: [],
    scores: { a: 0.3, b: 0.8 },
    case_scores: [
      { key: "a", case_id: "c1", inputs: { question: "Where is it?" }, score: 0.3, base: 0.5 },
      { key: "b", case_id: null, inputs: null, score: 0.8, base: 0.4 },
    ],
    ...changes,
  };
}

/** An optimization that ended with a promoted finalist. */
export function anOptimization(changes: Partial<Optimization> = {}): Optimization {
  return {
    id: "o1",
    name: "Kinder replies",
    state: "completed",
    outcome: "promoted",
    stop_reason: "generations",
    prompt: { id: "p1", name: "Reply" },
    version_id: "v1",
    version_label: "v1",
    dataset: { id: "d1", name: "Parcels" },
    strategy: "Evolve",
    generation: 1,
    generations: 1,
    candidates: 3,
    gate: {
      reason: "better",
      train_gain: 0.21,
      difference: 0.18,
      low: 0.05,
      high: 0.31,
      p_value: 0.01,
      test: "sign_flip",
      look: 1,
      alpha: 0.0304,
      cases: 10,
      min_gain: 0.02,
      less_safe: [],
    },
    budget_usd: "5.00",
    cost_usd: "0.42",
    reason: null,
    message: null,
    created_at: AT,
    updated_at: AT,
    started_at: AT,
    ended_at: "2026-03-05T09:02:00Z",
    archived_at: null,
    author: "ada@example.org",
    config: {
      prompt_id: "p1",
      dataset_id: "d1",
      goal: "",
      models: [{ model_id: "m1" }],
      scorers: [{ kind: "contains", weight: 1, is_negated: false }],
      strategy: { kind: "evolve", options: { candidates: 2 } },
      generations: 1,
      patience: 3,
      min_gain: 0.02,
      max_train_cases: 100,
      max_holdout_cases: 200,
      budget_usd: "5.00",
    },
    seed: 7,
    train_cases: 8,
    holdout_cases: 10,
    finalist: 2,
    model_choice: null,
    candidate_costs: { 0: "0.001", 2: "0.002" },
    suggestion_id: "s1",
    suggestion_state: "pending",
    is_base_latest: true,
    held_usd: null,
    progress: [
      { generation: 0, best: 0, mean: 0.4, low: 0.3, high: 0.5, candidates: 1, dropped: 0 },
      { generation: 1, best: 2, mean: 0.61, low: 0.5, high: 0.7, candidates: 2, dropped: 1 },
    ],
    rounds: [
      {
        number: 1,
        kind: "train",
        generation: 0,
        stage: 1,
        candidates: [0],
        cases: 8,
        run_id: "r1",
        run_state: "completed",
        done_count: 8,
        cell_count: 8,
        cost_usd: "0.12",
        created_at: AT,
        ended_at: AT,
      },
    ],
    candidate_list: [
      aCandidate({
        number: 0,
        generation: 0,
        origin: "base",
        operator: null,
        parents: [],
        gain: null,
        mean: 0.4,
      }),
      aCandidate({
        number: 1,
        state: "dropped",
        elimination: { rival: 2, difference: -0.12, cases: 6, p_value: 0.001, alpha: 0.05 },
      }),
      aCandidate(),
    ],
    ...changes,
  };
}

export function anOptimizationDraft(changes: Partial<OptimizationDraft> = {}): OptimizationDraft {
  return {
    name: "Better Reply",
    prompt_id: "p1",
    version_id: null,
    dataset_id: "d1",
    goal: "",
    models: [{ model_id: "m1" }],
    scorers: [{ kind: "contains", options: { phrases: ["x"] }, weight: 1, is_negated: false }],
    strategy: { kind: "evolve", options: { model_id: "m1" } },
    generations: 5,
    patience: 3,
    min_gain: 0.02,
    max_train_cases: 100,
    max_holdout_cases: 200,
    budget_usd: "5.00",
    problems: [],
    ...changes,
  };
}

const cost = (low: string, high: string) => ({ low_usd: low, high_usd: high });

export function anOptimizationEstimate(
  changes: Partial<OptimizationEstimate> = {},
): OptimizationEstimate {
  return {
    train_cases: 8,
    holdout_cases: 10,
    candidates_per_generation: 6,
    generations: 5,
    affordable_generations: 3,
    baseline: cost("0.10", "0.20"),
    generation: cost("0.50", "1.00"),
    gate: cost("0.10", "0.30"),
    total: cost("2.70", "5.50"),
    looks: 0,
    alpha: 0.0304,
    fits_budget: true,
    limited_by: null,
    ...changes,
  };
}
