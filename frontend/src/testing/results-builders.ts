import type { MeanEstimate, RunResults, VariantComparison, VariantResults } from "@/api/types";

export function aMean(value: number | null, cases = 8): MeanEstimate {
  const interval =
    value === null || cases < 2
      ? null
      : { low: Math.max(0, value - 0.1), high: Math.min(1, value + 0.1) };
  return { value, interval, cases };
}

/** Estimate for one answer, plus or minus a tenth. */
function anAverage(value: number) {
  return { value, interval: { low: value * 0.9, high: value * 1.1 }, answers: 8 };
}

const COUNTS = [0, 1, 0, 0, 2, 0, 0, 3, 2, 0];
const EDGES = Array.from({ length: 11 }, (_, at) => at / 10);

export function aVariantResult(changes: Partial<VariantResults> = {}): VariantResults {
  return {
    position: 0,
    label: "Reply v1 · small",
    is_simulated: false,
    composite: aMean(0.62),
    standard_deviation: 0.2,
    pass_rate: aMean(0.5),
    distribution: { edges: EDGES, counts: COUNTS },
    criteria: [
      {
        criterion: "s0",
        mean: aMean(0.62),
        minimum: 0.1,
        maximum: 0.9,
        standard_deviation: 0.2,
        missing: 1,
        distribution: { edges: EDGES, counts: COUNTS },
      },
    ],
    raters: [],
    unscored: 0,
    missing: 1,
    human_cases: 0,
    answers: 8,
    failed: 0,
    malformed: 0,
    answer_cost_usd: "0.10",
    judge_cost_usd: "0.40",
    cost_per_answer_usd: "0.0125",
    unpriced: 0,
    input_tokens: 800,
    output_tokens: 400,
    latency_p50_seconds: 0.4,
    latency_p95_seconds: 1.2,
    averages: {
      input_tokens: anAverage(100),
      output_tokens: anAverage(50),
      cost_usd: anAverage(0.0125),
      latency_seconds: anAverage(0.5),
    },
    is_on_front: true,
    outcome_counts: { answered: 8, failed: 0, malformed: 0, cut_off: 0, unreadable: 0 },
    ...changes,
  };
}

export function aComparison(changes: Partial<VariantComparison> = {}): VariantComparison {
  return {
    baseline: 0,
    other: 1,
    baseline_mean: 0.62,
    other_mean: 0.81,
    difference: { value: 0.19, interval: { low: 0.1, high: 0.3 }, cases: 8 },
    verdict: "better",
    test: "sign_flip",
    caveat: null,
    p_value: 0.008,
    adjusted_p_value: 0.008,
    effect_size: 1.1,
    minimum_detectable_effect: 0.12,
    cases_needed: 7,
    improved: 7,
    regressed: 1,
    unchanged: 0,
    baseline_left_out: { failed: 0, unreadable: 0 },
    other_left_out: { failed: 0, unreadable: 0 },
    equivalence: null,
    ...changes,
  };
}

/** Two variants, the second one better. */
export function someResults(changes: Partial<RunResults> = {}): RunResults {
  return {
    run_id: "00000000-0000-0000-0000-000000000001",
    is_final: true,
    is_complete: true,
    failed_count_zero: false,
    progress: {
      cases: 8,
      cells: 16,
      cells_done: 16,
      scores: 16,
      scores_done: 16,
      comparisons: 0,
      comparisons_done: 0,
    },
    composite: aMean(0.7),
    best: 1,
    variants: [
      aVariantResult(),
      aVariantResult({ position: 1, label: "Reply v2 · small", composite: aMean(0.81) }),
    ],
    criteria: [{ key: "s0", name: "Tone", weight: 1, scorers: [0] }],
    raters: [{ key: "s0", label: "Critic", kind: "judge", scorer: 0 }],
    comparisons: [aComparison()],
    facets: [],
    agreements: [],
    biases: [],
    calibrations: [],
    human_estimates: [],
    wins: null,
    ratings: null,
    flags: [],
    comparison_cost_usd: "0.00",
    ...changes,
  };
}
