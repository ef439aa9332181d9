import { describe, expect, it } from "vitest";
import { anAbTest } from "@/testing/ab-test-builders";
import {
  changesOf,
  draftOfTest,
  missingFields,
  planOf,
  requestOf,
  START,
  withFirst,
  type AbTestDraft,
} from "./ab-test-draft";

const arm = (version: string) => ({
  promptId: "p1",
  versionId: version,
  modelId: "m1",
  parameters: {},
});
const FILLED: AbTestDraft = {
  ...START,
  name: " Brief replies ",
  first: arm("v1"),
  second: { ...arm("v2"), parameters: { temperature: 0.2, max_tokens: null } },
  scorers: [
    {
      key: 0,
      versionId: "s1",
      kind: "",
      options: {},
      weight: 2,
      threshold: null,
      isNegated: false,
    },
  ],
};

describe("the form of an A/B test", () => {
  it("names what is missing", () => {
    expect(missingFields(START)).toEqual({
      name: "name",
      "first.prompt_id": "promptId",
      "first.model_id": "modelId",
      "second.prompt_id": "promptId",
      "second.model_id": "modelId",
      scorers: "scorers",
    });
    expect(missingFields({ ...FILLED, second: arm("") })).toEqual({
      "second.version_id": "versionId",
    });
    expect(missingFields(FILLED)).toEqual({});
    expect([planOf(START), planOf({ ...FILLED, scorers: [] })]).toEqual([null, null]);
  });

  it("sends the parameters that are set, and null for an empty budget", () => {
    expect(requestOf({ ...FILLED, budget: " " })).toEqual({
      name: "Brief replies",
      first: { prompt_id: "p1", version_id: "v1", model_id: "m1", parameters: null },
      second: {
        prompt_id: "p1",
        version_id: "v2",
        model_id: "m1",
        parameters: { temperature: 0.2 },
      },
      dataset_id: null,
      scorers: [{ scorer_version_id: "s1", weight: 2, is_negated: false }],
      pairs: 200,
      worthwhile: 0.05,
      budget_usd: null,
    });
  });

  it("lets empty choices of the second arm follow the first", () => {
    expect(withFirst(START, arm("v1")).second).toEqual({ ...arm(""), versionId: "" });
    expect(withFirst(FILLED, { ...arm("v3"), modelId: "m9" }).second).toEqual(FILLED.second);
  });

  it("sends only the changed fields of a draft", () => {
    const scorers = [
      { kind: "contains", options: { phrases: ["x"] }, weight: 1, is_negated: false },
    ];
    const opened = draftOfTest(anAbTest({ state: "draft", scorers }));
    expect(changesOf(opened, opened)).toEqual({});
    expect(changesOf(opened, { ...opened, datasetId: null, pairs: 60 })).toEqual({
      dataset_id: null,
      pairs: 60,
    });
  });
});
