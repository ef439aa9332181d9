import type {
  BestVersion,
  Experiment,
  ExperimentReport,
  IterationMetrics,
  IterationSummary,
} from "@/api/types";
import { anExperiment } from "./experiment-builders";
import { aComparison, aMean } from "./results-builders";

const COST = {
  execution_usd: "0.02",
  judging_usd: "0.01",
  refining_usd: "0.01",
  total_usd: "0.04",
};

export function someMetrics(over: Partial<IterationMetrics> = {}): IterationMetrics {
  return {
    train: aMean(0.62),
    holdout: aMean(0.6),
    change: null,
    train_gain: null,
    against_first: null,
    holdout_test: null,
    variants: [],
    criteria: [],
    answers: 8,
    failed: 0,
    malformed: 0,
    safety_findings: 0,
    unscored: 0,
    is_unjudged: false,
    execution_tokens: 900,
    judging_tokens: 300,
    execution_nanos: 20_000_000,
    judging_nanos: 10_000_000,
    sampling: null,
    ...over,
  };
}

export function anIterationSummary(over: Partial<IterationSummary> = {}): IterationSummary {
  return {
    id: "i1",
    experiment_id: "e1",
    number: 1,
    state: "reviewing",
    problem: null,
    message: null,
    version_id: "v1",
    version_label: "v1",
    run_id: "r1",
    holdout_run_id: "r2",
    trial_run_id: null,
    metrics: someMetrics(),
    refinement: null,
    suggestions: [],
    cost: COST,
    tokens: 1200,
    phases: [],
    actions: [],
    created_at: "2026-03-02T10:00:00Z",
    started_at: "2026-03-02T10:00:00Z",
    ended_at: null,
    ...over,
  };
}

export function aGate(over: Partial<BestVersion["gate"]> = {}): BestVersion["gate"] {
  return {
    state: "passed",
    iteration: 2,
    version_label: "v2",
    training_gain: 0.14,
    look: 1,
    alpha: 0.0304,
    looks: 1,
    sentence: "v2 looked better by 1.4 on the training cases.",
    ...over,
  };
}

/** Two iterations, the second one significantly better. */
export function aFinishedExperiment(over: Partial<Experiment> = {}): Experiment {
  return anExperiment({
    state: "completed",
    goal: "Answer kindly.",
    prompt_id: "p1",
    dataset_id: "d1",
    iteration_count: 2,
    best: {
      iteration: 2,
      version_id: "v2",
      version_label: "v2",
      score: 0.74,
      basis: "holdout",
      warnings: ["Only 8 cases are held out."],
      gate: aGate(),
    },
    against_first: aComparison({ difference: aMean(0.14), verdict: "better" }),
    cost_usd: "0.08",
    budget_usd: "5",
    stop: { reason: "converged", message: "Nothing more is gained." },
    iterations: [
      anIterationSummary({
        state: "completed",
        ended_at: "2026-03-02T11:00:00Z",
        suggestions: [
          {
            id: "s1",
            number: 1,
            origin: "refiner",
            state: "approved",
            targets: ["Tone"],
            trial_difference: 0.1,
            decided_at: "2026-03-02T11:00:00Z",
          },
        ],
      }),
      anIterationSummary({
        id: "i2",
        number: 2,
        state: "completed",
        version_label: "v2",
        started_at: "2026-03-02T11:00:01Z",
        ended_at: "2026-03-02T12:00:00Z",
        metrics: someMetrics({
          train: aMean(0.76),
          holdout: aMean(0.74),
          train_gain: 0.14,
          against_first: aComparison({ difference: aMean(0.14), verdict: "better" }),
          holdout_test: { look: 1, alpha: 0.0304, looks: 1, cases: 8 },
        }),
      }),
    ],
    lineage: [
      {
        version_id: "v1",
        parent_id: null,
        label: "v1",
        changelog: null,
        created_at: "2026-03-01T12:00:00Z",
        is_production: true,
        iteration: 1,
        train: aMean(0.62),
        holdout: aMean(0.6),
        is_best: false,
      },
      {
        version_id: "v2",
        parent_id: "v1",
        label: "v2",
        changelog: "Greets first.",
        created_at: "2026-03-02T11:00:00Z",
        is_production: false,
        iteration: 2,
        train: aMean(0.76),
        holdout: aMean(0.74),
        is_best: true,
      },
    ],
    ...over,
  });
}

export function aReport(over: Partial<ExperimentReport> = {}): ExperimentReport {
  const { id, name, state, goal, stop, best, against_first, lineage, iterations } =
    aFinishedExperiment();
  return {
    id,
    name,
    state,
    goal,
    stop,
    best,
    against_first,
    lineage,
    iterations: iterations.length,
    cost: COST,
    tokens: { execution: 900, judging: 300, refining: 100, total: 1300 },
    elapsed_seconds: 7200,
    working_seconds: 95,
    project: "Parcels",
    people: ["ada@example.org"],
    changed_at: "2026-03-02T12:00:00Z",
    best_prompt: {
      syntax: "double",
      system: null,
      text: "Greet first.\nAnswer: {{question}}",
      few_shots: [],
      tools: [],
    },
    best_text: "Greet first.\nAnswer: {{question}}",
    first_text: "Answer: {{question}}",
    diff: "+Greet first.",
    trend: iterations.map(
      ({ number, state: reached, version_id, version_label, metrics, cost }) => ({
        iteration: number,
        state: reached,
        version_id,
        version_label,
        train: metrics?.train ?? null,
        holdout: metrics?.holdout ?? null,
        change: null,
        against_first: null,
        holdout_test: null,
        cost,
        tokens: 600,
        seconds: 40,
        problem: null,
        message: null,
      }),
    ),
    criteria: [{ name: "Tone", weight: 0.6, first: 0.5, best: 0.8 }],
    variants: [],
    pruned: [],
    recommended: {
      label: "v2 · small",
      model_id: "m1",
      model_name: "small",
      score: aMean(0.74),
      cost_per_answer_usd: "0.001",
      parameters: { temperature: 0.2 },
      reasons: ["The only variant tested."],
    },
    weaknesses: [{ name: "Tone", mean: 0.8, message: "Tone is at 8.0 of 10." }],
    next_steps: ["Mark v2 as the production version."],
    decisions: [
      {
        iteration: 1,
        number: 1,
        origin: "refiner",
        state: "approved",
        parts: ["text"],
        note: "Greets first.",
        reason: "Friendly.",
        decided_at: "2026-03-02T11:00:00Z",
        decided_by: "ada@example.org",
        version_id: "v2",
      },
    ],
    is_simulated: true,
    ...over,
  };
}
