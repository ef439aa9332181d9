import type { ExperimentEstimate } from "@/api/types";

/** How far the budget reaches: `iterations` is the number certainly covered. */
export interface BudgetCoverage {
  verdict: "within" | "tight" | "short" | "none";
  iterations: number;
}

/** Null while costs are unknown. */
export function budgetCoverage(
  estimate: ExperimentEstimate,
  budgetUsd: string,
): BudgetCoverage | null {
  const { low_usd: low, high_usd: high } = estimate.cost;
  const dearest = estimate.iteration?.cost.high_usd;
  if (low === null || high === null || dearest === undefined || dearest === null) {
    return null;
  }
  const budget = Number(budgetUsd);
  const most = estimate.iterations.high ?? 1;
  const paid = Number(dearest) === 0 ? most : Math.floor(budget / Number(dearest));
  const iterations = Math.min(most, paid);
  if (Number(high) <= budget) {
    return { verdict: "within", iterations };
  }
  if (iterations === 0) {
    return { verdict: "none", iterations };
  }
  return { verdict: Number(low) <= budget ? "tight" : "short", iterations };
}
