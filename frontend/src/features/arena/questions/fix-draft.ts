import type { JudgedQuestion } from "@/api/arena";

/** Marks above this share of the scale are no fault. */
const GOOD = 0.7;
const MOST_REMARKS = 20;

/** What judges found fault with. */
export function remarksOf(question: JudgedQuestion): string[] {
  const remarks = question.judges.flatMap(({ criteria }) =>
    criteria
      .filter(({ raw, maximum }) => raw / maximum < GOOD)
      .flatMap(({ name, rationale }) => (rationale === null ? [] : [`${name}: ${rationale}`])),
  );
  return [...new Set(remarks)].slice(0, MOST_REMARKS);
}

/** The input variable that holds the question. */
export function variableOf(question: JudgedQuestion): string {
  const found = Object.entries(question.inputs).find(([, value]) => value === question.question);
  return found?.[0] ?? "";
}
