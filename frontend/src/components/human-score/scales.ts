import type { Question } from "@/api/types";

export const QUESTIONS = ["thumbs", "pass_fail", "rating"] as const satisfies Question[];

/** Every answer to a question, the lowest first. */
export const ANSWERS = {
  thumbs: [0, 1],
  pass_fail: [0, 1],
  rating: [1, 2, 3, 4, 5],
} as const satisfies Record<Question, readonly number[]>;

/** What a click on a thumb means: nothing, then up, then down, then up again. */
export function nextThumb(answer: number | null): 0 | 1 {
  return answer === 1 ? 0 : 1;
}
