import type { Iteration, IterationMetrics, SideCase } from "@/api/types";
import { aComparison, aMean } from "./results-builders";

const CREATED = "2026-03-01T10:00:00Z";

export function someMetrics(over: Partial<IterationMetrics> = {}): IterationMetrics {
  return {
    train: aMean(0.72),
    holdout: aMean(0.64),
    change: {
      difference: aMean(0.1),
      baseline_mean: 0.62,
      other_mean: 0.72,
      improved: 3,
      regressed: 1,
      unchanged: 4,
      note: "Training cases, not a test.",
    },
    train_gain: 0.1,
    against_first: aComparison({ verdict: "no_evidence", difference: aMean(0.02) }),
    holdout_test: { look: 2, alpha: 0.0076, looks: 2, cases: 8 },
    variants: [
      {
        key: "small",
        label: "Reply v2 · small",
        model_id: null,
        model_name: "small",
        is_simulated: true,
        train: aMean(0.72),
        holdout: aMean(0.64),
        win_rate: aMean(0.7),
        cost_usd: "0.02",
        cost_per_answer_usd: "0.002",
        latency_p50_seconds: 0.4,
        failed: 0,
        parameters: {},
      },
    ],
    criteria: [],
    answers: 16,
    failed: 0,
    malformed: 0,
    safety_findings: 0,
    unscored: 0,
    is_unjudged: false,
    execution_tokens: 1000,
    judging_tokens: 3000,
    execution_nanos: 0,
    judging_nanos: 0,
    sampling: null,
    ...over,
  };
}

/** In progress: half of its answers exist. */
export function anIteration(over: Partial<Iteration> = {}): Iteration {
  return {
    id: "i2",
    experiment_id: "e1",
    number: 2,
    state: "executing",
    problem: null,
    message: null,
    version_id: "v2",
    version_label: "v2",
    run_id: "r2",
    holdout_run_id: "h2",
    trial_run_id: null,
    metrics: null,
    refinement: null,
    suggestions: [],
    cost: { execution_usd: "0.30", judging_usd: "0", refining_usd: "0", total_usd: "0.30" },
    tokens: 4000,
    phases: [{ state: "executing", began_at: "2026-03-01T10:00:02Z", ended_at: null }],
    actions: ["pause", "cancel"],
    created_at: CREATED,
    started_at: CREATED,
    ended_at: null,
    progress: {
      cells: 20,
      cells_done: 10,
      scores: 20,
      scores_done: 4,
      comparisons: 0,
      comparisons_done: 0,
      variants: [
        { label: "Reply v2 · small", done: 7, cells: 10, failed: 1, waiting: null },
        { label: "Reply v2 · large", done: 3, cells: 10, failed: 0, waiting: "Rate limit." },
      ],
      elapsed_seconds: 154,
      remaining_seconds: 180,
    },
    spent_usd: "1.80",
    budget_usd: "2.00",
    max_tokens: null,
    ...over,
  };
}

export function aSideCase(over: Partial<SideCase> = {}): SideCase {
  return {
    position: 0,
    inputs_preview: "Where is my parcel?",
    tags: ["delivery"],
    difficulty: 2,
    score: 0.6,
    difference: 0.2,
    disagreement: 0.3,
    cost_usd: "0.001",
    latency_seconds: 0.5,
    is_flagged: false,
    cells: [
      { run_id: "r2", variant: 0, position: 0, output_id: "o1", score: 0.7, disagreement: 0.3 },
      { run_id: "r2", variant: 1, position: 0, output_id: "o2", score: 0.5, disagreement: null },
    ],
    ...over,
  };
}
