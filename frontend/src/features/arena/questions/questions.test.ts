import { expect, test } from "vitest";
import type { JudgedQuestion, QuestionCriterion } from "@/api/arena";
import { remarksOf, variableOf } from "./fix-draft";
import { emptyJudging, judgeRequest, missingForJudging, type JudgeDraft } from "./judge-draft";

const USUAL: QuestionCriterion[] = [
  { name: "Clarity", description: "Understood in one way.", weight: 1, scale: "0-10" },
  { name: "Difficulty", description: "How hard it is.", weight: 0, scale: "0-10" },
];
const DRAFT: JudgeDraft = { ...emptyJudging("d1"), judgeIds: ["m1", "m2"] };

test("a judging names what is missing, one thing at a time", () => {
  expect(missingForJudging(emptyJudging(""), "", USUAL)).toBe("dataset");
  expect(missingForJudging(emptyJudging("d1"), "", USUAL)).toBe("variable");
  expect(missingForJudging(emptyJudging("d1"), "question", USUAL)).toBe("judges");
  const many = { ...DRAFT, judgeIds: ["1", "2", "3", "4", "5", "6"] };
  expect(missingForJudging(many, "question", USUAL)).toBe("tooMany");
  expect(missingForJudging({ ...DRAFT, leftOut: ["Clarity"] }, "question", USUAL)).toBe("criteria");
  const own = [{ key: 0, name: "Fair", description: "short" }];
  expect(missingForJudging({ ...DRAFT, own }, "question", USUAL)).toBe("own");
  expect(missingForJudging(DRAFT, "question", USUAL)).toBeNull();
});

test("the request asks no model and lets a panel score the questions", () => {
  const own = [{ key: 0, name: " Fair ", description: "Favours no group." }];
  const request = judgeRequest({ ...DRAFT, own, leftOut: ["Difficulty"] }, "Q", "text", USUAL);
  expect(request?.variants).toEqual([{ question_variable: "text" }]);
  expect(request?.scorers?.[0]?.options).toEqual({
    judge_text: "question-1",
    judges: ["m1", "m2"],
    criteria: [
      USUAL[0],
      { name: "Fair", description: "Favours no group.", weight: 1, scale: "0-10" },
    ],
    goal: "",
  });
});

test("only faults are passed on to the model that rewrites a question", () => {
  const marks = (raw: number, rationale: string | null) => [
    { name: "Clarity", raw, maximum: 10, rationale },
  ];
  const question = {
    question: "What?",
    inputs: { context: "Parcels", question: "What?" },
    judges: [
      { name: "a", value: 0.2, problem: null, criteria: marks(2, "Vague.") },
      { name: "b", value: 0.9, problem: null, criteria: marks(9, "Fine.") },
      { name: "c", value: 0.3, problem: null, criteria: marks(3, "Vague.") },
    ],
  } as unknown as JudgedQuestion;
  expect(remarksOf(question)).toEqual(["Clarity: Vague."]);
  expect(variableOf(question)).toBe("question");
});
