export const SCALES = ["0-1", "0-3", "0-5", "0-10", "0-100"] as const;
export const MOST_CRITERIA = 10;
/** How far the sum of weights may be from 1 before saving changes them. */
const TOLERANCE = 0.01;

export interface CriterionDraft {
  /** Tells criteria apart while they are edited and moved. */
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

/** The same proportions, with a sum of 1; what rounding leaves goes to the heaviest. */
export function normalised(criteria: readonly CriterionDraft[]): CriterionDraft[] {
  const sum = weightSum(criteria);
  if (sum <= 0) {
    return spread(criteria);
  }
  return fitted(criteria.map((one) => ({ ...one, weight: rounded((one.weight ?? 0) / sum) })));
}

/** Every criterion as heavy as the next. */
export function spread(criteria: readonly CriterionDraft[]): CriterionDraft[] {
  return fitted(criteria.map((one) => ({ ...one, weight: rounded(1 / criteria.length) })));
}

function fitted(criteria: CriterionDraft[]): CriterionDraft[] {
  const heaviest = criteria.reduce(
    (best, { weight }, at) => ((weight ?? 0) > (criteria[best]?.weight ?? 0) ? at : best),
    0,
  );
  const rest = 1 - weightSum(criteria);
  return criteria.map((one, at) =>
    at === heaviest ? { ...one, weight: rounded((one.weight ?? 0) + rest) } : one,
  );
}
