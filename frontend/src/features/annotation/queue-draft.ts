import type { AnnotationQueueRequest, Question, RunDetail, SampleStrategy } from "@/api/types";

export const STRATEGIES = [
  "random",
  "disagreement",
  "low_confidence",
] as const satisfies SampleStrategy[];
export const MOST_ITEMS = 2000;
export const MOST_PEOPLE = 10;

/** Form state of a new queue. */
export interface QueueDraft {
  name: string;
  instructions: string;
  runIds: readonly string[];
  strategy: SampleStrategy;
  sampleSize: string;
  isUnscoredOnly: boolean;
  question: Question;
  isByCriterion: boolean;
  overlap: string;
  /** Empty: all members. */
  assigneeIds: readonly string[];
}

export const emptyDraft = (runId: string | undefined): QueueDraft => ({
  name: "",
  instructions: "",
  runIds: runId === undefined ? [] : [runId],
  strategy: "random",
  sampleSize: "50",
  isUnscoredOnly: true,
  question: "rating",
  isByCriterion: false,
  overlap: "1",
  assigneeIds: [],
});

type Criterion = NonNullable<AnnotationQueueRequest["criteria"]>[number];

/** Criteria of the runs' rubrics, without duplicate names. */
export function criteriaOf(runs: readonly (RunDetail | undefined)[]): Criterion[] {
  const found = new Map<string, Criterion>();
  for (const scorer of runs.flatMap((run) => run?.scorers ?? [])) {
    const { criteria } = scorer.options as { criteria?: unknown };
    for (const each of Array.isArray(criteria) ? (criteria as Partial<Criterion>[]) : []) {
      if (typeof each.name === "string" && !found.has(each.name.toLowerCase())) {
        const { name, description = "", weight = 1 } = each;
        found.set(name.toLowerCase(), { name, description, weight });
      }
    }
  }
  return [...found.values()].slice(0, 10);
}

/** Whether a text is a whole number from 1 to `most`. */
export const isCount = (text: string, most: number) =>
  /^\d{1,5}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= most;

export function requestOf(
  draft: QueueDraft,
  criteria: readonly Criterion[],
): AnnotationQueueRequest {
  return {
    name: draft.name.trim(),
    instructions: draft.instructions.trim() === "" ? null : draft.instructions.trim(),
    run_ids: [...draft.runIds],
    strategy: draft.strategy,
    sample_size: Number(draft.sampleSize),
    is_unscored_only: draft.isUnscoredOnly,
    question: draft.question,
    criteria: draft.isByCriterion && criteria.length > 0 ? [...criteria] : null,
    overlap: Number(draft.overlap),
    assignee_ids: [...draft.assigneeIds],
  };
}
