import type { AnnotationAnswer, AnnotationItem, AnnotationQueue } from "@/api/types";

/** The user's unsent answer for the current output. */
export interface Draft {
  answer: number | null;
  /** Answered criteria, by name. */
  criteria: Readonly<Record<string, number>>;
  comment: string;
  /** Index of the criterion that the next key answers. */
  active: number;
}

export function draftFor(item: AnnotationItem): Draft {
  const { previous } = item;
  return {
    answer: previous?.answer ?? null,
    criteria: previous?.criteria ?? {},
    comment: previous?.comment ?? "",
    active: 0,
  };
}

/** Answers the question, or the active criterion and moves to the next. */
export function answered(queue: AnnotationQueue, draft: Draft, answer: number): Draft {
  const { criteria } = queue;
  const criterion = criteria?.[draft.active];
  if (criteria === null || criterion === undefined) {
    return { ...draft, answer };
  }
  return {
    ...draft,
    criteria: { ...draft.criteria, [criterion.name]: answer },
    active: Math.min(draft.active + 1, criteria.length - 1),
  };
}

export function isComplete(queue: AnnotationQueue, draft: Draft): boolean {
  return queue.criteria === null
    ? draft.answer !== null
    : queue.criteria.every(({ name }) => draft.criteria[name] !== undefined);
}

export function bodyOf(queue: AnnotationQueue, draft: Draft): AnnotationAnswer {
  const comment = draft.comment.trim() === "" ? null : draft.comment.trim();
  return queue.criteria === null
    ? { answer: draft.answer, comment }
    : { criteria: { ...draft.criteria }, comment };
}
