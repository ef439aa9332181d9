import { describe, expect, it } from "vitest";
import { newCriterion, normalised, withEqualWeights, sumsToOne, weightSum } from "./criteria";

const withWeights = (...weights: (number | null)[]) =>
  weights.map((weight) => ({ ...newCriterion(0), weight }));
const weightsOf = (criteria: readonly { weight: number | null }[]) =>
  criteria.map(({ weight }) => weight);

describe("weights of a rubric", () => {
  it("keep their proportions when they are normalised", () => {
    expect(weightsOf(normalised(withWeights(3, 1)))).toEqual([0.75, 0.25]);
    expect(weightsOf(normalised(withWeights(35, 25, 25, 15)))).toEqual([0.35, 0.25, 0.25, 0.15]);
  });

  it("sum to exactly 1, with what rounding leaves on the heaviest", () => {
    expect(weightsOf(normalised(withWeights(1, 1, 1)))).toEqual([0.3334, 0.3333, 0.3333]);
    expect(weightSum(normalised(withWeights(1, 2, 4)))).toBeCloseTo(1, 10);
  });

  it("are spread when there is nothing to keep in proportion", () => {
    expect(weightsOf(normalised(withWeights(0, null)))).toEqual([0.5, 0.5]);
    expect(weightsOf(withEqualWeights(withWeights(9, 1, 0)))).toEqual([0.3334, 0.3333, 0.3333]);
  });

  it("count as 1 within the tolerance that saving has", () => {
    expect(sumsToOne(withWeights(0.33, 0.33, 0.33))).toBe(false);
    expect(sumsToOne(withWeights(0.334, 0.333, 0.332))).toBe(true);
    expect(sumsToOne(withWeights(1, 0.6))).toBe(false);
  });
});
