import { expect, it } from "vitest";
import { formatSpent, meanCost } from "./spent";

it.each([
  [null, 0, "unknown"],
  ["0", 0, "$0.00"],
  ["0", 2, "unknown"],
  ["0.0045", 2, "$0.0045"],
])("writes %s with %d unpriced calls as %s", (amount, unpriced, expected) => {
  expect(formatSpent(amount, unpriced)).toBe(expected);
});

it("takes the mean of priced calls only", () => {
  expect(meanCost("0.3", 5, 2)).toBeCloseTo(0.1);
  expect(meanCost("0", 2, 2)).toBeNull();
});
