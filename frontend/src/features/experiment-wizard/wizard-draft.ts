import type { Experiment } from "@/api/types";
import type { DraftRules } from "@/components/draft-saving/saving-state";
import type { FieldErrors } from "@/components/schema-form/validate";
import type { StepProblem } from "@/api/types";
import { STEPS, type Draft, type Step } from "./wizard-step";

/** What is saved: the steps, the name, and where somebody goes on later. */
export interface Content {
  name: string;
  step: Step;
  draft: Draft;
}

/** What the wizard knows of the experiment as it is saved. */
export type SavedDraft = Pick<
  Experiment,
  "name" | "step" | "draft" | "draft_version" | "updated_at"
>;

/** The schema says that fields may be left out, since people may; the server leaves out none. */
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

/** Two drafts made one, step by step; what is not chosen is one's own. */
export function mergedDraft(mine: Draft, theirs: Draft, taken: ReadonlySet<Step>): Draft {
  return Object.fromEntries(
    STEPS.map((step) => [step, (taken.has(step) ? theirs : mine)[step]]),
  ) as unknown as Draft;
}

export function problemsOf(problems: readonly StepProblem[], step: Step): StepProblem[] {
  return problems.filter((problem) => problem.step === step);
}

/** Messages by field below the step; several about one field are told together. */
export function errorsOf(problems: readonly StepProblem[]): FieldErrors {
  const errors: FieldErrors = {};
  for (const { step, field, message } of problems) {
    const below = field === step ? "" : field.slice(step.length + 1);
    errors[below] = errors[below] === undefined ? message : `${errors[below]} ${message}`;
  }
  return errors;
}
