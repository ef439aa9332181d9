import type { Optimization } from "@/api/types";

export interface CostPoint {
  number: number;
  /** Of 0 to 1. */
  score: number;
  /** US dollars per 1,000 answers. */
  cost: number;
}

/** Candidates whose score and cost are known. */
export function pointsOf(optimization: Optimization): CostPoint[] {
  return optimization.candidate_list.flatMap(({ number, mean }) => {
    const cost = optimization.candidate_costs[number];
    return mean === null || cost === undefined
      ? []
      : [{ number, score: mean, cost: 1000 * Number(cost) }];
  });
}

/** Those that no other is cheaper and better than, cheapest first. */
export function frontOf(points: readonly CostPoint[]): CostPoint[] {
  const ordered = points.toSorted((a, b) => a.cost - b.cost || b.score - a.score);
  let best = -Infinity;
  return ordered.filter(({ score }) => {
    const leads = score > best;
    best = Math.max(best, score);
    return leads;
  });
}

/** Positions between the smallest and the largest value; a single value is in the middle. */
export function scaleOf(values: readonly number[]) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const span = high - low;
  return {
    share: (value: number) => (span === 0 ? 0.5 : (value - low) / span),
    at: (share: number) => low + share * span,
  };
}
