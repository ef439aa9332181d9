import { describe, expect, it } from "vitest";
import { isComplete, requestOf, START, type AbTestDraft } from "./ab-test-draft";

const arm = (version: string) => ({ promptId: "p1", versionId: version, modelId: "m1" });
const FILLED: AbTestDraft = {
  ...START,
  name: " Brief replies ",
  first: arm("v1"),
  second: arm("v2"),
  scorers: [{ versionId: "s1", weight: 2 }],
};

describe("the form of a new A/B test", () => {
  it("is complete with a name, two arms and a scorer", () => {
    expect(isComplete(START)).toBe(false);
    expect(isComplete(FILLED)).toBe(true);
    expect(isComplete({ ...FILLED, pairs: "some" })).toBe(false);
    expect(isComplete({ ...FILLED, scorers: [] })).toBe(false);
  });

  it("sends numbers, and null for an empty budget", () => {
    expect(requestOf({ ...FILLED, budget: " " })).toEqual({
      name: "Brief replies",
      first: { prompt_id: "p1", version_id: "v1", model_id: "m1" },
      second: { prompt_id: "p1", version_id: "v2", model_id: "m1" },
      dataset_id: null,
      scorers: [{ scorer_version_id: "s1", weight: 2, is_negated: false }],
      pairs: 200,
      worthwhile: 0.05,
      budget_usd: null,
    });
  });
});
