import type { Experiment } from "@/api/types";
import type { DraftRules } from "@/components/draft-saving/saving-state";
import type { FieldErrors } from "@/components/schema-form/validate";
import type { StepProblem } from "@/api/types";
import { STEPS, type Draft, type Step } from "./wizard-step";

/** Saved content: steps, name, and current step. */
export interface Content {
  name: string;
  step: Step;
  draft: Draft;
}

/** The part of a saved experiment used by the wizard. */
export type SavedDraft = Pick<
  Experiment,
  "name" | "step" | "draft" | "draft_version" | "updated_at"
>;

/** Fields are optional in the schema for requests; responses always contain them. */
function contentOf({ name, step, draft }: SavedDraft): Content {
  return { name, step, draft: draft as Draft };
}

export function isSamePart(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

export const RULES: DraftRules<Content, SavedDraft> = {
  contentOf,
  versionOf: ({ draft_version }) => draft_version,
  isSame: (one, other) =>
    one.name === other.name &&
    one.step === other.step &&
    STEPS.every((step) => isSamePart(one.draft[step], other.draft[step])),
  isHeldBack: () => false,
};

/** Steps in which two drafts differ. */
export function differingSteps(one: Draft, other: Draft): Step[] {
  return STEPS.filter((step) => !isSamePart(one[step], other[step]));
}

/** Merges two drafts by step; steps not in `taken` keep mine. */
export function mergedDraft(mine: Draft, theirs: Draft, taken: ReadonlySet<Step>): Draft {
  return Object.fromEntries(
    STEPS.map((step) => [step, (taken.has(step) ? theirs : mine)[step]]),
  ) as unknown as Draft;
}

export function problemsOf(problems: readonly StepProblem[], step: Step): StepProblem[] {
  return problems.filter((problem) => problem.step === step);
}

/** Messages by field below the step; several for one field are joined. */
export function errorsOf(problems: readonly StepProblem[]): FieldErrors {
  const errors: FieldErrors = {};
  for (const { step, field, message } of problems) {
    const below = field === step ? "" : field.slice(step.length + 1);
    errors[below] = errors[below] === undefined ? message : `${errors[below]} ${message}`;
  }
  return errors;
}
