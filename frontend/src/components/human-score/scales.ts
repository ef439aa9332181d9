import type { Question } from "@/api/types";

export const QUESTIONS = ["thumbs", "pass_fail", "rating"] as const satisfies Question[];

/** Possible answers by scale, the lowest first. */
export const ANSWERS = {
  thumbs: [0, 1],
  pass_fail: [0, 1],
  rating: [1, 2, 3, 4, 5],
} as const satisfies Record<Question, readonly number[]>;

/** Next value of a thumb toggle: none, up, down, up. */
export function nextThumb(answer: number | null): 0 | 1 {
  return answer === 1 ? 0 : 1;
}
