import type {
  Monitor,
  MonitorAlert,
  MonitorCheck,
  MonitorEstimate,
  MonitorTrend,
  TrendPoint,
} from "@/api/types";
import { DEFAULT_RULES } from "@/features/monitors/form/monitor-draft";

const AT = "2026-03-05T09:00:00Z";

const DROP = {
  shared: 24,
  baseline: 0.9,
  current: 0.72,
  relative: 0.2,
  p_value: 0.0004,
  smallest_visible: 0.12,
  regressed: 5,
  improved: 2,
  is_suspicious: true,
};

/** A check that confirmed a drop. */
export function aCheck(over: Partial<MonitorCheck> = {}): MonitorCheck {
  return {
    id: "c7",
    monitor_id: "mo1",
    number: 7,
    state: "done",
    trigger: "schedule",
    scheduled_for: AT,
    missed: 0,
    reason: null,
    message: "The score is 20% below the baseline.",
    verdict: "lower",
    version_id: "ve2",
    version_label: "v2",
    run_id: "r7",
    confirm_run_id: "r8",
    score: 0.72,
    cost_usd: "0.0123",
    created_at: AT,
    started_at: AT,
    ended_at: "2026-03-05T09:00:42Z",
    is_pinned: false,
    measures: {
      score: 0.72,
      low: 0.62,
      high: 0.82,
      cases: 24,
      baseline_score: 0.9,
      baseline_checks: [1, 2, 3],
      baseline_run_id: "r6",
      models: [
        {
          key: "m1",
          label: "GPT-4o",
          model_id: "m1",
          score: 0.72,
          low: 0.62,
          high: 0.82,
          cases: 24,
          answers: 24,
          failed: 1,
          p50_seconds: 0.4,
          p95_seconds: 1.2,
          answer_usd: "0.0005",
          drop: DROP,
          not_comparable: null,
          confirmation: { ...DROP, relative: 0.22, p_value: 0.0001 },
          worst: [{ position: 3, baseline: 1, score: 0 }],
        },
      ],
    },
    ...over,
  };
}

export function aMonitor(over: Partial<Monitor> = {}): Monitor {
  return {
    id: "mo1",
    name: "Support replies, daily",
    state: "active",
    pause: null,
    archived_at: null,
    created_at: AT,
    updated_at: AT,
    prompt: {
      id: "pr1",
      name: "Reply",
      is_production: true,
      version_id: "ve2",
      version_label: "v2",
    },
    dataset: { id: "d1", name: "Golden" },
    models: ["GPT-4o"],
    cron: "0 9 * * *",
    schedule: "At 09:00 every day",
    next_run_at: "2026-03-06T09:00:00Z",
    muted_until: null,
    check_count: 7,
    last_check: aCheck(),
    last_measured: aCheck(),
    open_alerts: 1,
    worst_alert: "alert",
    money: {
      daily_budget_usd: "1.00",
      today_usd: "0.0123",
      lifetime_usd: "0.0861",
    },
    author: "ada@example.org",
    config: {
      models: [{ model_id: "m1", parameters: { temperature: 0 } }],
      scorers: [{ kind: "contains", options: { phrase: "parcel" }, weight: 1, is_negated: false }],
      cases: null,
      repeats: 1,
      rules: DEFAULT_RULES,
    },
    next_times: ["2026-03-06T09:00:00Z", "2026-03-07T09:00:00Z"],
    baseline: {
      score: 0.9,
      checks: [1, 2, 3],
      is_pinned: false,
      since: null,
      history: [{ at: AT, note: "The new prompt is terse.", author: "ada@example.org" }],
    },
    ...over,
  };
}

export function aTrendPoint(over: Partial<TrendPoint> = {}): TrendPoint {
  return {
    check_id: "c7",
    number: 7,
    at: AT,
    score: 0.72,
    low: 0.62,
    high: 0.82,
    cases: 24,
    baseline: 0.9,
    verdict: "lower",
    version_label: "v2",
    cost_usd: "0.0123",
    failed: 1,
    p95_seconds: 1.2,
    models: [],
    ...over,
  };
}

export function aTrend(over: Partial<MonitorTrend> = {}): MonitorTrend {
  return {
    days: "30",
    every: 1,
    day_costs: [
      { day: "2026-03-04", checks: 1, cost_usd: "0.0123" },
      { day: "2026-03-05", checks: 1, cost_usd: "0.0123" },
    ],
    series: [{ key: "m1", label: "GPT-4o" }],
    points: [
      aTrendPoint({
        check_id: "c6",
        number: 6,
        at: "2026-03-04T09:00:00Z",
        score: 0.9,
        low: 0.8,
        high: 0.98,
        verdict: "good",
        version_label: "v1",
      }),
      aTrendPoint(),
    ],
    markers: [{ at: AT, kind: "version", text: "v1 → v2", entity_id: "ve2" }],
    baseline_score: 0.9,
    threshold: 0.81,
    skipped: 1,
    failed: 0,
    cost_usd: "0.0246",
    ...over,
  };
}

export function anAlert(over: Partial<MonitorAlert> = {}): MonitorAlert {
  return {
    id: "al1",
    monitor: { id: "mo1", name: "Support replies, daily" },
    rule: "drop",
    severity: "alert",
    state: "open",
    title: "Support replies, daily: score 20% below the baseline",
    message: "5 regressed, 2 improved.",
    check_id: "c7",
    check_number: 7,
    last_check_id: "c7",
    opened_at: AT,
    seen_at: AT,
    reopened_count: 0,
    muted_until: null,
    acknowledged_at: null,
    acknowledged_by: null,
    resolved_at: null,
    resolved_by: null,
    resolution: null,
    note: null,
    evidence: { run_id: "r7", baseline_run_id: "r6", variant: 0, worst: [], figures: {} },
    ...over,
  };
}

export function aMonitorEstimate(over: Partial<MonitorEstimate> = {}): MonitorEstimate {
  return {
    check: {
      answer_calls: 24,
      judge_calls: 0,
      input_tokens: 1000,
      output_tokens: { low: 100, high: 200 },
      cost: { low_usd: "0.01", high_usd: "0.02" },
      seconds: { low: 3, high: 6 },
      assumptions: [],
      unpriced_models: [],
    },
    cases: 24,
    checks_a_day: 1,
    check_usd: "0.015",
    confirmation_usd: "0.045",
    day_usd: "0.015",
    fits_budget: true,
    smallest_drop: 0.31,
    false_alarms: {
      two_stage: 0.18,
      one_stage: 1,
      plain: 71.4,
      basis: "Assumes cases that pass or fail at random, four of five of which pass.",
    },
    warnings: [],
    ...over,
  };
}
