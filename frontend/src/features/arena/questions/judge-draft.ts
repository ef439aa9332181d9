import type { QuestionCriterion } from "@/api/arena";
import type { RunRequest } from "@/api/types";

export const MOST_JUDGES = 5;
export const MOST_CRITERIA = 10;
const SHORTEST_DESCRIPTION = 10;

export interface OwnCriterion {
  key: number;
  name: string;
  description: string;
}

/** Form state of a new judging of questions. */
export interface JudgeDraft {
  datasetId: string;
  /** Input variable that holds the question; empty: the usual one. */
  variable: string;
  judgeIds: readonly string[];
  /** Names of the usual criteria that do not count. */
  leftOut: readonly string[];
  own: readonly OwnCriterion[];
  goal: string;
}

export const emptyJudging = (datasetId: string): JudgeDraft => ({
  datasetId,
  variable: "",
  judgeIds: [],
  leftOut: [],
  own: [],
  goal: "",
});

export function criteriaOf(draft: JudgeDraft, usual: readonly QuestionCriterion[]) {
  const kept = usual.filter(({ name }) => !draft.leftOut.includes(name));
  const own = draft.own.map(({ name, description }) => ({
    name: name.trim(),
    description: description.trim(),
    weight: 1,
    scale: "0-10",
  }));
  return [...kept, ...own];
}

/** What is missing before judges can start; null when nothing is. */
export type MissingForJudging = "dataset" | "variable" | "judges" | "tooMany" | "criteria" | "own";

export function missingForJudging(
  draft: JudgeDraft,
  variable: string,
  usual: readonly QuestionCriterion[],
): MissingForJudging | null {
  if (draft.datasetId === "") {
    return "dataset";
  }
  if (variable === "") {
    return "variable";
  }
  if (draft.judgeIds.length === 0) {
    return "judges";
  }
  if (draft.judgeIds.length > MOST_JUDGES) {
    return "tooMany";
  }
  const isPoor = draft.own.some(
    ({ name, description }) =>
      name.trim() === "" || description.trim().length < SHORTEST_DESCRIPTION,
  );
  if (isPoor) {
    return "own";
  }
  return criteriaOf(draft, usual).some(({ weight }) => weight > 0) ? null : "criteria";
}

/** Run request: the question itself is the answer, and a panel scores it. */
export function judgeRequest(
  draft: JudgeDraft,
  name: string,
  variable: string,
  usual: readonly QuestionCriterion[],
): RunRequest | null {
  if (missingForJudging(draft, variable, usual) !== null) {
    return null;
  }
  return {
    name,
    variants: [{ question_variable: variable }],
    dataset_id: draft.datasetId,
    repeats: 1,
    scorers: [
      {
        kind: "judge_panel",
        options: {
          judge_text: "question-1",
          judges: draft.judgeIds,
          criteria: criteriaOf(draft, usual),
          goal: draft.goal.trim(),
        },
        weight: 1,
        is_negated: false,
      },
    ],
    is_cache_bypassed: false,
    failed_count_zero: false,
    origin: "api",
  };
}
