import { describe, expect, it } from "vitest";
import { Problem } from "@/api/problem";
import { aPricedEstimate } from "@/testing/experiment-builders";
import { budgetCoverage } from "./budget-coverage";
import { stepMessages } from "./step-messages";
import { columnsOf, countTags, findGaps, readInput, readTags, toFile } from "./data/inline-cases";
import { readAmount } from "./limits/money-field";
import { limitsOf } from "./limits/suggested-limits";
import { countCombinations, readValues } from "./models/grid-values";
import { withModels } from "./models/model-choices";
import { readNumber } from "@/components/number-field";

describe("numbers as people write them", () => {
  it("reads what is a number, and nothing else", () => {
    expect(readNumber("1,000,000", true)).toBe(1_000_000);
    expect(readNumber(" 2.", false)).toBe(2);
    expect(readNumber(".5", false)).toBe(0.5);
    expect(["", "1.5", "1e9", "abc"].map((text) => readNumber(text, true))).toEqual([
      null,
      null,
      null,
      null,
    ]);
    expect(readAmount("$1,250.50")).toBe("1250.50");
    expect([readAmount(""), readAmount("-1"), readAmount("1.0000000001")]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it("takes a list only when every value may be tried", () => {
    expect(readValues("0.3; 0.7 1, 0.3", "temperature")).toEqual([0.3, 0.7, 1]);
    expect(readValues("", "max_tokens")).toEqual([]);
    expect(readValues("0.3, 2.1", "temperature")).toBeNull();
    expect(readValues("512, 1.5", "max_tokens")).toBeNull();
    expect(countCombinations({ temperature: [0.3, 1], max_tokens: [], top_p: [1, 1, 0.9] })).toBe(
      4,
    );
  });
});

describe("cases of the wizard", () => {
  const cases = [
    { inputs: { question: "Why?", note: "x" }, tags: ["billing", "hard"] },
    { inputs: { question: " " }, tags: ["billing"] },
  ];

  it("reports missing and unused variables", () => {
    expect(findGaps(["question", "context"], cases)).toEqual({
      missing: [
        { name: "question", count: 1 },
        { name: "context", count: 2 },
      ],
      unused: ["note"],
    });
    expect(columnsOf(["question", "context"], cases)).toEqual(["question", "context", "note"]);
    expect(countTags(cases)).toEqual([
      { value: "billing", cases: 2 },
      { value: "hard", cases: 1 },
    ]);
    expect(readTags(" a, b;a |c ")).toEqual(["a", "b", "c"]);
  });

  it("keeps numbers and objects what they are while they can be read", () => {
    expect(readInput("13", 12)).toBe(13);
    expect(readInput("13", "12")).toBe("13");
    expect(readInput('{"a": ', { a: 1 })).toBe('{"a": ');
  });

  it("writes a file that the import understands", async () => {
    const text = await toFile([
      { inputs: { q: "Hi" }, expected: "Yes", tags: ["t"], split: "train" },
    ]).text();
    expect(JSON.parse(text)).toEqual({
      input: { q: "Hi" },
      expected: "Yes",
      tags: ["t"],
      split: "train",
    });
  });
});

describe("choices, limits and money", () => {
  it("keeps the parameters of models that stay", () => {
    const tuned = { model_id: "m1", parameters: { temperature: 0.2 } };
    expect(withModels([tuned, { model_id: "m2" }], ["m1", "m3"])).toEqual([
      tuned,
      { model_id: "m3", parameters: null },
    ]);
  });

  it("leaves the budget alone when no cost is known", () => {
    const rules = {
      max_iterations: 8,
      min_improvement: 0.02,
      convergence_window: 2,
      alert_threshold: 0.8,
      is_adaptive: true,
    };
    expect(limitsOf({ ...rules, budget_usd: null })).toEqual(rules);
    expect(limitsOf({ ...rules, budget_usd: "5" })).toEqual({ ...rules, budget_usd: "5" });
  });

  it("says how far a budget reaches", () => {
    const estimate = aPricedEstimate(); // $1 to $2 an iteration, 6 to 10 of them.
    expect(budgetCoverage(estimate, "20")).toEqual({ verdict: "within", iterations: 10 });
    expect(budgetCoverage(estimate, "19")).toEqual({ verdict: "tight", iterations: 9 });
    expect(budgetCoverage(estimate, "5")).toEqual({ verdict: "short", iterations: 2 });
    expect(budgetCoverage(estimate, "1.99")).toEqual({ verdict: "none", iterations: 0 });
    expect(budgetCoverage(aPricedEstimate({ iteration: null }), "20")).toBeNull();
  });

  it("finds the step that a complaint is about", () => {
    const refused = new Problem(400, {
      code: "VALIDATION_ERROR",
      message: "",
      details: [{ field: "data.dataset_id", message: "No cases.", code: "no_cases" }],
    });
    expect(stepMessages(refused)).toEqual([{ step: "data", message: "No cases." }]);
    const unready = new Problem(409, {
      code: "NOT_READY",
      message: "First (1 more)",
      details: { reasons: [{ message: "First" }, { message: "Second" }] },
    });
    expect(stepMessages(unready).map(({ message }) => message)).toEqual(["First", "Second"]);
  });
});
