import type { Budget, LedgerEntry } from "@/api/types";

const AT = "2026-01-15T10:00:00Z";

export function aBudget(over: Partial<Budget> = {}): Budget {
  return {
    id: "b1",
    scope: "project",
    scope_id: "p1",
    scope_name: null,
    period: "total",
    limit_usd: "10.00",
    spent_usd: "4.00",
    reserved_usd: "0.00",
    alert_threshold: 0.8,
    counts_simulated: false,
    state: "open",
    resets_at: null,
    created_at: AT,
    updated_at: AT,
    ...over,
  };
}

export function aLedgerEntry(over: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    id: "e1",
    created_at: AT,
    left_at: AT,
    settled_at: AT,
    state: "settled",
    purpose: "try",
    run_id: null,
    provider: "openai",
    model: "gpt-4o",
    attempt: 1,
    calls: 1,
    reserved_usd: "0.05",
    cost_usd: "0.0123",
    input_tokens: 1200,
    output_tokens: 30,
    cached_input_tokens: 0,
    reasoning_tokens: 0,
    is_estimated: false,
    is_simulated: false,
    is_unanswered: false,
    price_version: "own",
    failure: null,
    note: null,
    ...over,
  };
}
