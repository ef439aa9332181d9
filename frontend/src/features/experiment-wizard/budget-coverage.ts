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
  const highestCost = estimate.iteration?.cost.high_usd;
  if (low === null || high === null || highestCost === undefined || highestCost === null) {
    return null;
  }
  const budget = Number(budgetUsd);
  const most = estimate.iterations.high ?? 1;
  const paid = Number(highestCost) === 0 ? most : Math.floor(budget / Number(highestCost));
  const iterations = Math.min(most, paid);
  if (Number(high) <= budget) {
    return { verdict: "within", iterations };
  }
  if (iterations === 0) {
    return { verdict: "none", iterations };
  }
  return { verdict: Number(low) <= budget ? "tight" : "short", iterations };
}
