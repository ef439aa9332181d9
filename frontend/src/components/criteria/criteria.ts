export const SCALES = ["0-1", "0-3", "0-5", "0-10", "0-100"] as const;
export const MOST_CRITERIA = 10;
/** Allowed deviation of the weights' sum from 1 before saving normalises them. */
const TOLERANCE = 0.01;

export interface CriterionDraft {
  /** Stable list key while criteria are edited and moved. */
  key: string;
  name: string;
  description: string;
  /** Null while the field is empty. */
  weight: number | null;
  scale: string;
}

export function newCriterion(weight: number): CriterionDraft {
  return { key: crypto.randomUUID(), name: "", description: "", weight, scale: "0-5" };
}

export function weightSum(criteria: readonly CriterionDraft[]): number {
  return criteria.reduce((sum, { weight }) => sum + (weight ?? 0), 0);
}

export function sumsToOne(criteria: readonly CriterionDraft[]): boolean {
  return Math.abs(weightSum(criteria) - 1) < TOLERANCE;
}

const rounded = (weight: number) => Math.round(weight * 10_000) / 10_000;

/** Scales the weights to a sum of 1; the rounding remainder goes to the heaviest. */
export function normalised(criteria: readonly CriterionDraft[]): CriterionDraft[] {
  const sum = weightSum(criteria);
  if (sum <= 0) {
    return withEqualWeights(criteria);
  }
  return withRemainder(
    criteria.map((one) => ({ ...one, weight: rounded((one.weight ?? 0) / sum) })),
  );
}

/** Gives every criterion the same weight. */
export function withEqualWeights(criteria: readonly CriterionDraft[]): CriterionDraft[] {
  return withRemainder(criteria.map((one) => ({ ...one, weight: rounded(1 / criteria.length) })));
}

function withRemainder(criteria: CriterionDraft[]): CriterionDraft[] {
  const heaviest = criteria.reduce(
    (best, { weight }, at) => ((weight ?? 0) > (criteria[best]?.weight ?? 0) ? at : best),
    0,
  );
  const rest = 1 - weightSum(criteria);
  return criteria.map((one, at) =>
    at === heaviest ? { ...one, weight: rounded((one.weight ?? 0) + rest) } : one,
  );
}
