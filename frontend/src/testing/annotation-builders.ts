import type { AnnotationQueue } from "@/api/types";

export function aQueue(over: Partial<AnnotationQueue> = {}): AnnotationQueue {
  return {
    id: "q1",
    name: "Refund replies",
    instructions: "Mind the tone.",
    question: "rating",
    criteria: null,
    strategy: "random",
    seed: 1,
    overlap: 1,
    state: "open",
    author: null,
    assignees: [],
    is_for_me: true,
    created_at: "2026-01-15T10:00:00Z",
    ...over,
    progress: {
      items: 2,
      done_items: 0,
      answers: 0,
      wanted_answers: 2,
      my_answers: 0,
      my_skips: 0,
      left_for_me: 2,
      ...over.progress,
    },
  };
}
