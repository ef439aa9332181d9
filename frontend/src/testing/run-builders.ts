import type { Cell, OutputDetail, RunDetail, RunRow, RunVariant } from "@/api/types";

const AT = "2026-01-15T10:00:00Z";

const NOTHING_DONE = {
  done_count: 0,
  error_count: 0,
  malformed_count: 0,
  cached_count: 0,
  unpriced_count: 0,
  score_count: 0,
  cost_usd: "0",
  input_tokens: 0,
  output_tokens: 0,
};

export function aVariant(over: Partial<RunVariant> = {}): RunVariant {
  return {
    ...NOTHING_DONE,
    id: "v1",
    position: 0,
    label: "Reply v1, GPT-4o",
    prompt_id: "pr1",
    version_id: "ve1",
    prompt_name: "Reply",
    version_label: "v1",
    model_id: "m1",
    fallback_model_id: null,
    model_name: "GPT-4o",
    provider: "openai",
    is_simulated: false,
    parameters: {},
    cell_count: 10,
    halted: null,
    waiting: null,
    summary: null,
    ...over,
  };
}

export function aRun(over: Partial<RunDetail> = {}): RunDetail {
  return {
    ...NOTHING_DONE,
    id: "r1",
    name: "Reply on Golden",
    origin: "api",
    state: "executing",
    reason: null,
    message: null,
    author: { id: "u1", name: "Ada Lovelace" },
    dataset_id: "d1",
    dataset_name: "Golden",
    case_count: 10,
    variant_count: 1,
    repeats: 1,
    cell_count: 10,
    scorer_count: 1,
    unconfirmed_usd: "0",
    failed_count_zero: false,
    comparison_total: 0,
    comparison_count: 0,
    is_simulated: false,
    created_at: AT,
    started_at: AT,
    ended_at: null,
    is_kept: false,
    archived_at: null,
    elapsed_seconds: 4,
    score: null,
    variants: [aVariant()],
    scorers: [
      {
        id: "s1",
        position: 0,
        kind: "exact",
        label: "Exact match",
        weight: 1,
        threshold: 0.5,
        is_negated: false,
        scorer_version_id: null,
        options: {},
      },
    ],
    comparers: [],
    redaction: null,
    phases: [
      { state: "pending", began_at: AT, ended_at: AT },
      { state: "executing", began_at: AT, ended_at: null },
      { state: "scoring", began_at: null, ended_at: null },
      { state: "aggregating", began_at: null, ended_at: null },
      { state: "completed", began_at: null, ended_at: null },
    ],
    estimate: null,
    compared: null,
    cells_per_second: null,
    remaining_seconds: null,
    actions: ["pause", "cancel"],
    parent_id: null,
    replay_of_id: null,
    code_version: "0.1.0",
    last_number: 0,
    ...over,
  };
}

export function aCell(over: Partial<Cell> = {}): Cell {
  return {
    id: "o1",
    number: 1,
    case_position: 0,
    variant_position: 0,
    repeat: 0,
    status: "ok",
    error: null,
    provider_text: null,
    finish_reason: "stop",
    preview: "Paris",
    is_truncated: false,
    is_cached: false,
    is_fallback: false,
    is_wanted_again: false,
    cost_usd: "0.0004",
    input_tokens: 12,
    output_tokens: 3,
    latency_seconds: 0.42,
    human_value: null,
    grade: null,
    scores: [],
    ...over,
  };
}

export function aRow(position: number, cells: Cell[] = []): RunRow {
  return {
    position,
    case_id: null,
    split: null,
    difficulty: null,
    tags: [],
    inputs: { question: `Question ${position + 1}` },
    expected: null,
    assertions: null,
    cells,
  };
}

export function anOutput(over: Partial<OutputDetail> = {}): OutputDetail {
  return {
    ...aCell(),
    run_id: "r1",
    message: null,
    text: "The capital is <response>Paris</response>",
    parsed: "Paris",
    attempts: 1,
    waited_seconds: 0,
    first_token_seconds: null,
    cached_input_tokens: null,
    reasoning_tokens: null,
    created_at: AT,
    tool_calls: [],
    sent: {
      system: "Be short.",
      messages: [{ role: "user", text: "What is the capital of France?" }],
      tools: [],
    },
    provenance: {
      prompt_version_id: "ve1",
      prompt_label: "Reply v1",
      model: "gpt-4o-2024",
      provider: "openai",
      credential: "Team key",
      parameters: { temperature: 0.7 },
      ignored_parameters: [],
      request_id: "req_1",
      price_version: "2026.10",
      prompt_digest: "d".repeat(64),
      cache_key: "c".repeat(64),
      code_version: "0.1.0",
    },
    details: [],
    ...over,
  };
}
