import { describe, expect, it } from "vitest";
import { errorsBelow } from "@/components/schema-form/validate";
import { unplacedErrors, newDraft, placeProblems, requestOf } from "./run-draft";

const draft = {
  ...newDraft({ prompt: "p1", dataset: "d1" }),
  prompts: [
    { promptId: "p1", versionId: null },
    { promptId: "p2", versionId: "v2" },
  ],
  modelIds: ["m1", "m2"],
};
const problem = (field: string, message: string) => ({ field, message, code: "invalid" });

describe("what a form asks for", () => {
  it("is nothing until there is a prompt and a model", () => {
    expect(requestOf(newDraft({}))).toBeNull();
    expect(requestOf(newDraft({ prompt: "p1" }))).toBeNull();
  });

  it("is every prompt with every model", () => {
    expect(requestOf(draft)).toEqual({
      variants: [
        { prompt_id: "p1", version_id: null, model_id: "m1", parameters: null },
        { prompt_id: "p1", version_id: null, model_id: "m2", parameters: null },
        { prompt_id: "p2", version_id: "v2", model_id: "m1", parameters: null },
        { prompt_id: "p2", version_id: "v2", model_id: "m2", parameters: null },
      ],
      dataset_id: "d1",
      repeats: 1,
      scorers: [],
      is_cache_bypassed: false,
      failed_count_zero: false,
      origin: "api",
    });
  });

  it("asks to take personal data out", () => {
    expect(requestOf({ ...draft, isRedacted: true })?.redact_pii).toEqual({});
    expect(requestOf(draft)).not.toHaveProperty("redact_pii");
  });

  it("leaves out what was not entered", () => {
    const request = requestOf({
      ...draft,
      name: "  Nightly ",
      parameterSets: [{ temperature: 0, seed: null }],
      filter: { tag: "refund", limit: null },
      scorers: [
        {
          key: 1,
          versionId: null,
          kind: "exact",
          options: { ignore_case: true, language: null },
          weight: null,
          threshold: 0.5,
          isNegated: false,
        },
      ],
    });
    expect(request).toMatchObject({
      name: "Nightly",
      cases: { filter: { tag: "refund" } },
      scorers: [
        {
          kind: "exact",
          options: { ignore_case: true },
          weight: 1,
          threshold: 0.5,
          is_negated: false,
        },
      ],
    });
    expect(request?.variants[0]?.parameters).toEqual({ temperature: 0 });
  });

  it("is every prompt and model with every set of parameters", () => {
    const request = requestOf({
      ...draft,
      modelIds: ["m1"],
      parameterSets: [{}, { temperature: 1 }],
      fallbackModelId: "m2",
    });
    expect(request?.variants.map(({ prompt_id, parameters }) => [prompt_id, parameters])).toEqual([
      ["p1", null],
      ["p1", { temperature: 1 }],
      ["p2", null],
      ["p2", { temperature: 1 }],
    ]);
    expect(request?.variants[0]?.fallback_model_id).toBe("m2");
  });

  it("compares with the first column only when that is wanted", () => {
    const comparer = { kind: "pairwise_judge", options: { model_id: "m1", goal: null } };
    const request = requestOf({
      ...draft,
      comparers: [
        { key: 1, ...comparer, isAgainstFirst: true },
        { key: 2, ...comparer, isAgainstFirst: false },
      ],
    });
    expect(request?.comparers).toEqual([
      { kind: "pairwise_judge", options: { model_id: "m1" }, baseline: 0 },
      { kind: "pairwise_judge", options: { model_id: "m1" } },
    ]);
  });

  it("names no model as its own fallback", () => {
    const request = requestOf({ ...draft, fallbackModelId: "m2" });
    expect(request?.variants.map((variant) => variant.fallback_model_id)).toEqual([
      "m2",
      undefined,
      "m2",
      undefined,
    ]);
  });

  it("is one case when that was entered by hand", () => {
    const request = requestOf({ ...draft, source: "inputs", inputs: { question: "Why?" } });
    expect(request?.inputs).toEqual([{ question: "Why?" }]);
    expect(request).not.toHaveProperty("dataset_id");
  });
});

describe("what the server refuses", () => {
  it("is said next to the field it is about", () => {
    expect(
      placeProblems(draft, [
        problem("variants.3.model_id", "This model is switched off."),
        problem("variants.2.version_id", "There is no such version."),
        problem("variants.0.parameters.temperature", "At most 2."),
        problem("variants.1.parameters.temperature", "At most 2."),
        problem("scorers.0.options.words", "Give a word."),
      ]),
    ).toEqual({
      "models.1": "This model is switched off.",
      "prompts.1": "There is no such version.",
      "parameters.0.temperature": "At most 2.",
      "scorers.0.options.words": "Give a word.",
    });
  });

  it("is said above the form when no field shows it", () => {
    const errors = { variants: "Too many cells.", repeats: "At most 20." };
    expect(unplacedErrors(errors)).toEqual(["Too many cells."]);
  });

  it("finds the errors of one part", () => {
    expect(
      errorsBelow({ "scorers.1.weight": "Wrong", "scorers.10.weight": "No" }, "scorers.1"),
    ).toEqual({ weight: "Wrong" });
  });
});
