import type { Syntax } from "@/lib/template";

/** Variables that every grader can use. */
export const GRADER_VARIABLES = ["output", "expected", "input"] as const;
export type GraderVariable = (typeof GRADER_VARIABLES)[number];

export function writeVariable(name: string, syntax: Syntax): string {
  return { double: `{{${name}}}`, single: `{${name}}`, nunjucks: `{{ ${name} }}` }[syntax];
}

export const FORMS = ["share", "one_to_five", "pass_fail"] as const;
export type VerdictForm = (typeof FORMS)[number];

export const EXAMPLES: Record<VerdictForm, string> = {
  share: "0.8\nCorrect and polite, but the date is missing.",
  one_to_five: "4\nCorrect and polite, but the date is missing.",
  pass_fail: "pass\nCorrect and polite.",
};

/** Text of a new grader, which gives a number from 0 to 1. */
export function graderTemplate(syntax: Syntax): string {
  const variable = (name: GraderVariable) => writeVariable(name, syntax);
  return `You grade answers to questions. Compare the answer with the expected answer.

Question: ${variable("input")}

Expected answer: ${variable("expected")}

Answer to grade: ${variable("output")}

Give 1 if the answer says the same as the expected answer, 0 if it is wrong, and a number in between if it is partly right. Length and style do not matter.

Write the number alone on the first line, and your reasons on the lines after it.`;
}
