import type { InsightModel, ModelChoice, ModelInsight } from "@/api/types";

export const aModelChoice = (changes: Partial<ModelChoice> = {}): ModelChoice => ({
  key: null,
  reason: "no_model",
  cases: 0,
  leading: null,
  undecided: [],
  compared: null,
  other: null,
  difference: null,
  score: null,
  low: null,
  high: null,
  factor: null,
  p_value: null,
  ...changes,
});

export const anInsightModel = (changes: Partial<InsightModel> = {}): InsightModel => ({
  key: "m1",
  model_id: "m1",
  name: "GPT-4o",
  is_compared: true,
  is_simulated: false,
  cases: 24,
  score: 0.85,
  low: 0.8,
  high: 0.9,
  answer_usd: "0.01",
  mean_seconds: 1.2,
  ...changes,
});

/** Without finished runs. */
export const anInsight = (changes: Partial<ModelInsight> = {}): ModelInsight => ({
  runs: 0,
  older_runs: 0,
  cases: 0,
  models: [],
  most_accurate: aModelChoice(),
  fastest: aModelChoice(),
  best_value: aModelChoice(),
  ...changes,
});
