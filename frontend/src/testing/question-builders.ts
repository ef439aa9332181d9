import type { JudgedQuestion, QuestionReport } from "@/api/arena";
import { aMean } from "./results-builders";

const SCORE = aMean(0.4, 2);

export function aQuestionReport(over: Partial<QuestionReport> = {}): QuestionReport {
  return {
    run_id: "r1",
    dataset_id: "d1",
    questions: 2,
    judged: 2,
    unjudged: 0,
    weak: 1,
    weak_below: 0.6,
    score: SCORE,
    generators: [
      {
        key: "manual",
        model_id: null,
        name: null,
        origin: "manual",
        questions: 2,
        weak: 1,
        score: SCORE,
        is_judge: false,
      },
    ],
    ...over,
  };
}

export function aJudgedQuestion(over: Partial<JudgedQuestion> = {}): JudgedQuestion {
  return {
    position: 0,
    output_id: "o1",
    case_id: "c1",
    case_version: 1,
    case_state: "current",
    question: "Where is my parcel?",
    inputs: { question: "Where is my parcel?" },
    expected: null,
    tags: [],
    difficulty: null,
    judged_difficulty: null,
    generator: "manual",
    score: 0.4,
    human_score: null,
    disagreement: null,
    is_weak: true,
    criteria: [],
    judges: [],
    ...over,
  };
}
