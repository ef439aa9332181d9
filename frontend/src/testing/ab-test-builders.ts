import type { AbAnswer, AbTest } from "@/api/types";

const arm = (version: string): AbTest["first"] => ({
  prompt_id: "p1",
  prompt_name: "Reply",
  version_id: `v-${version}`,
  version_label: version,
  model_id: "m1",
  model_name: "Small",
  parameters: null,
});

/** A test that ended with a recommendation. */
export function anAbTest(changes: Partial<AbTest> = {}): AbTest {
  return {
    id: "t1",
    name: "Brief replies",
    state: "decided",
    mode: "sampled",
    first: arm("v1"),
    second: arm("v2"),
    dataset: { id: "d1", name: "Parcels" },
    pairs: 200,
    worthwhile: 0.05,
    result: {
      recommendation: "take_second",
      is_final: true,
      pairs: 80,
      first_mean: 0.6,
      second_mean: 0.75,
      difference: 0.15,
      low: 0.05,
      high: 0.25,
      test: "confidence_sequence",
      p_value: null,
    },
    budget_usd: "1.00",
    cost_usd: "0.12",
    created_at: "2026-03-05T09:00:00Z",
    updated_at: "2026-03-05T09:10:00Z",
    started_at: "2026-03-05T09:01:00Z",
    ended_at: "2026-03-05T09:10:00Z",
    archived_at: null,
    author: "ada@example.org",
    scorers: [],
    first_usage: { answers: 80, failed: 0, answer_usd: "0.0005", mean_seconds: 1.2 },
    second_usage: { answers: 80, failed: 1, answer_usd: "0.001", mean_seconds: 1.4 },
    looks: [
      { pairs: 40, difference: 0.12, low: null, high: null },
      { pairs: 60, difference: 0.14, low: -0.01, high: 0.29 },
      { pairs: 80, difference: 0.15, low: 0.05, high: 0.25 },
    ],
    batches: [
      {
        number: 1,
        cases: 20,
        run_id: "r1",
        run_state: "completed",
        created_at: "2026-03-05T09:01:00Z",
        ended_at: "2026-03-05T09:03:00Z",
        cost_usd: "0.03",
      },
    ],
    answers: 0,
    pending: 0,
    reason: null,
    message: null,
    note: null,
    stopped_by: null,
    ...changes,
  };
}

/** A scored answer that a program recorded. */
export function anAbAnswer(changes: Partial<AbAnswer> = {}): AbAnswer {
  return {
    id: "a1",
    number: 1,
    external_id: "order-7",
    arm: "second",
    state: "scored",
    inputs: { question: "Where is it?" },
    expected: null,
    answer: "In Paris.",
    score: 0.8,
    scores: [{ label: "Judge", value: 0.8, flag: null, rationale: "It names the city." }],
    created_at: "2026-03-05T09:05:00Z",
    ...changes,
  };
}
