import type { Experiment, ExperimentEstimate, StepProblem } from "@/api/types";
import type { Draft } from "@/features/experiment-wizard/wizard-step";

/** Draft of an experiment without a template. */
export const BLANK: Draft = {
  objective: { goal: "" },
  rubric: { rubric_version_id: null, criteria: [] },
  prompt: {
    prompt_id: null,
    version_id: null,
    name: "",
    syntax: "double",
    system: null,
    text: "",
    few_shots: [],
    tools: [],
  },
  data: {
    dataset_id: null,
    name: "",
    cases: [],
    tag: null,
    max_train_cases: null,
    max_holdout_cases: null,
    uses_holdout: true,
  },
  models: { models: [], grid: { temperature: [], max_tokens: [], top_p: [] }, repeats: 1 },
  judges: {
    judges: [],
    is_pairwise: false,
    pairwise_judge: null,
    scorer_version_ids: [],
    safety: {
      pii: true,
      jailbreak: true,
      toxicity: false,
      moderation_model_id: null,
      is_blocking: false,
    },
  },
  limits: {
    max_iterations: 10,
    min_improvement: 0.02,
    convergence_window: 3,
    budget_usd: "100",
    alert_threshold: 0.8,
    max_tokens: null,
    prunes_weak_variants: true,
    stops_without_suggestion: true,
    is_adaptive: false,
    strategy: { kind: "refine", options: {} },
    refiner_model_id: null,
    candidates: 2,
  },
};

export function anExperiment(parts: Partial<Experiment> = {}): Experiment {
  return {
    id: "e1",
    name: "Parcels",
    state: "draft",
    goal: "",
    author: "ada@example.org",
    template: null,
    prompt_id: null,
    dataset_id: null,
    iteration_count: 0,
    max_iterations: 10,
    latest: null,
    best: null,
    against_first: null,
    is_simulated: false,
    waiting_suggestions: 0,
    cost_usd: "0",
    stop: null,
    created_at: "2026-03-01T12:00:00Z",
    updated_at: "2026-03-01T12:00:00Z",
    completed_at: null,
    archived_at: null,
    step: "objective",
    draft_version: 1,
    draft: BLANK,
    config: null,
    is_changed: false,
    is_editable: true,
    problems: [],
    version_id: null,
    rubric_version_id: null,
    confirmed_at: null,
    budget_usd: "100",
    tokens: 0,
    pruned: [],
    iterations: [],
    lineage: [],
    ...parts,
  };
}

const UNKNOWN = { low: null, high: null };

/** Estimate of an incomplete draft in a project without models. */
export function anEstimate(...problems: StepProblem[]): ExperimentEstimate {
  return {
    configurations: 0,
    combinations: 1,
    train_cases: null,
    holdout_cases: null,
    iteration: null,
    iterations: UNKNOWN,
    cost: { low_usd: null, high_usd: null },
    seconds: UNKNOWN,
    stand_ins: [],
    budgets: [],
    assumptions: [],
    problems,
  };
}

/** $1 to $2 an iteration, 6 to 10 iterations. */
export function aPricedEstimate(over: Partial<ExperimentEstimate> = {}): ExperimentEstimate {
  return {
    configurations: 2,
    combinations: 1,
    train_cases: 24,
    holdout_cases: 6,
    iteration: {
      answer_calls: 60,
      judge_calls: 60,
      refine_calls: 2,
      input_tokens: 40_000,
      output_tokens: { low: 6_000, high: 30_000 },
      cost: { low_usd: "1.00", high_usd: "2.00" },
      seconds: { low: 30, high: 90 },
      unpriced_models: [],
    },
    iterations: { low: 6, high: 10 },
    cost: { low_usd: "6.00", high_usd: "20.00" },
    seconds: { low: 180, high: 900 },
    stand_ins: [],
    budgets: [],
    assumptions: ["Answers have 200 tokens."],
    problems: [],
    ...over,
  };
}
