import { aBudget } from "@/testing/budget-builders";
import { describePage, listOf } from "@/testing/pages";

const POINTS = [{ at: "2026-01-15T12:00:00Z", spent_usd: "4.00" }];

describePage("/p/$slug/budgets", {
  reads: "budgets",
  filled: listOf(aBudget()),
  shows: ["button", "budgets.create.action"],
  empty: { text: "budgets.empty", next: ["button", "budgets.create.first"] },
  responses: {
    "budgets/:id/burn-down": {
      budget: aBudget(),
      step: "day",
      points: POINTS,
      projection: POINTS,
      usd_per_day: "2.00",
      used_up_at: null,
    },
    "budgets/spending": {
      by: "model",
      days: [],
      series: [],
      groups: [],
      total_usd: "0",
      simulated_usd: "0",
    },
    "ledger/totals": {
      calls: 0,
      cost_usd: "0",
      failed_calls: 0,
      input_tokens: 0,
      output_tokens: 0,
      reserved_usd: "0",
      unconfirmed_calls: 0,
      unconfirmed_usd: "0",
      unpriced_calls: 0,
      simulated_usd: "0.00",
      unanswered_calls: 0,
      unanswered_usd: "0.00",
    },
    "ledger/facets": { models: [], providers: [], purposes: [] },
  },
});
