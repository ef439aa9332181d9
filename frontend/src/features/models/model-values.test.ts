import { describe, expect, it } from "vitest";
import { Problem } from "@/api/problem";
import { parameterSchema, setParameters } from "@/components/model-parameters/parameter-schema";
import { aModel } from "@/testing/builders";
import { filterAndSort } from "./arrange";
import { checkModel, draftOf, placeRefusal, toChange } from "./model-draft";

const UNKNOWN = {
  input_usd_per_million: null,
  output_usd_per_million: null,
  cached_input_usd_per_million: null,
  source: "unknown",
  version: null,
  tiers: [],
} as const;
const CHEAP = aModel({
  id: "cheap",
  display_name: "Small 2",
  provider: "sim",
  provider_model: "sim-small",
  context_window: 32_000,
  prices: { ...aModel().prices, input_usd_per_million: "0.1", output_usd_per_million: "0.4" },
});
const ODD = aModel({
  id: "odd",
  display_name: "Small 10",
  context_window: null,
  prices: { ...UNKNOWN, tiers: [] },
});
const MODELS = [aModel(), ODD, CHEAP];
const RULES = {
  temperature: { low: 0, high: 1 },
  max_tokens: { low: 1, high: 100_000 },
  top_p: { low: 0, high: 1 },
  frequency_penalty: { low: -2, high: 2 },
  presence_penalty: { low: -2, high: 2 },
  seed: { low: 0, high: 2 ** 53 },
  max_stops: 4,
  max_stop_characters: 100,
  allows_both_samplings: false,
  allows_blank_stop: true,
};

function ids(view: Parameters<typeof filterAndSort>[1]): string[] {
  return filterAndSort(MODELS, view).map((model) => model.id);
}

describe("the table of models", () => {
  it("is in order of names, numbers counted as numbers", () => {
    expect(ids({})).toEqual(["m1", "cheap", "odd"]);
  });
  it("puts what is unknown last in either direction", () => {
    expect(ids({ sort: "cheapest" })).toEqual(["cheap", "m1", "odd"]);
    expect(ids({ sort: "dearest" })).toEqual(["m1", "cheap", "odd"]);
    expect(ids({ sort: "context" })).toEqual(["m1", "cheap", "odd"]);
  });
  it("finds every word in either name, and one provider's models", () => {
    expect(ids({ q: "SIM small" })).toEqual(["cheap"]);
    expect(ids({ provider: "openai" })).toEqual(["m1", "odd"]);
  });
});

describe("a model being edited", () => {
  const model = aModel();
  const schema = parameterSchema({ rules: RULES, capabilities: {}, current: {} });

  it("sends nothing that was not changed", () => {
    expect(toChange(draftOf(model), model)).toEqual({});
    expect(toChange(draftOf(ODD), ODD)).toEqual({});
  });
  it("sends own prices as they were typed, and null to return to the table's", () => {
    const draft = { ...draftOf(model), hasOwnPrices: true };
    draft.prices = {
      ...draft.prices,
      input_usd_per_million: " 3.1 ",
      cached_input_usd_per_million: "",
    };
    expect(toChange(draft, model)).toEqual({
      prices: {
        input_usd_per_million: "3.1",
        output_usd_per_million: "10.00",
        cached_input_usd_per_million: null,
      },
    });
    const own = aModel({ prices: { ...model.prices, source: "own" } });
    expect(toChange({ ...draftOf(own), hasOwnPrices: false }, own)).toEqual({ prices: null });
  });
  it("says of every field what is wrong with it", () => {
    const draft = {
      ...draftOf(model),
      displayName: " ",
      contextWindow: "many",
      parameters: { temperature: 1.5, stop: ["a", "b", "c", "d", "e"] },
      hasOwnPrices: true,
      prices: {
        input_usd_per_million: "-1",
        output_usd_per_million: "",
        cached_input_usd_per_million: "",
      },
    };
    expect(Object.keys(checkModel(draft, schema)).sort()).toEqual([
      "context_window",
      "display_name",
      "input_usd_per_million",
      "output_usd_per_million",
      "parameters.stop",
      "parameters.temperature",
    ]);
    expect(checkModel(draftOf(model), schema)).toEqual({});
  });
  it("puts the server's complaints at their fields", () => {
    const details = [
      { field: "parameters.top_p", message: "Not with temperature.", code: "both" },
      { field: "prices.input_usd_per_million", message: "Too much.", code: "le" },
    ];
    const problem = new Problem(422, { code: "VALIDATION_ERROR", message: "", details });
    expect(placeRefusal(problem)).toEqual({
      errors: { "parameters.top_p": "Not with temperature.", input_usd_per_million: "Too much." },
      message: null,
    });
  });
});

describe("the form of parameters", () => {
  it("offers what the model accepts, and what is set although it does not", () => {
    const capabilities = { ...aModel().capabilities, top_p: false, seed: false };
    const names = Object.keys(
      parameterSchema({ rules: RULES, capabilities, current: { seed: 7 } }).properties ?? {},
    );
    expect(names).toContain("seed");
    expect(names).not.toContain("top_p");
  });
  it("says ranges where they mean something", () => {
    const { properties } = parameterSchema({ rules: RULES, capabilities: {}, current: {} });
    expect(properties?.max_tokens?.description).toBe("1 to 100,000. Output tokens.");
    expect(properties?.seed?.description).not.toMatch(/\d/);
    expect(properties?.top_p?.description).toMatch(/Set either this or temperature/);
  });
  it("leaves out what is not set", () => {
    expect(setParameters({ temperature: 0, top_p: null, stop: [] })).toEqual({ temperature: 0 });
  });
});
