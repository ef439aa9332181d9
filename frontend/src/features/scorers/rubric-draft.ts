import type { CriterionBody, Rubric } from "@/api/types";
import { newCriterion, type CriterionDraft } from "@/components/criteria/criteria";

/** Form state of a rubric. */
export interface RubricDraft {
  name: string;
  description: string;
  criteria: readonly CriterionDraft[];
}

export function newRubric(): RubricDraft {
  return { name: "", description: "", criteria: [newCriterion(0.5), newCriterion(0.5)] };
}

export function draftOf(rubric: Rubric): RubricDraft {
  return {
    name: rubric.name,
    description: rubric.description ?? "",
    criteria: rubric.criteria.map((criterion) => ({ ...criterion, key: crypto.randomUUID() })),
  };
}

export function criteriaOf({ criteria }: RubricDraft): CriterionBody[] {
  return criteria.map(({ name, description, weight, scale }) => ({
    name: name.trim(),
    description: description.trim(),
    weight: weight ?? 0,
    scale: scale as NonNullable<CriterionBody["scale"]>,
  }));
}

export function namedOf({ name, description }: RubricDraft) {
  const trimmed = description.trim();
  return { name: name.trim(), description: trimmed === "" ? null : trimmed };
}

const differs = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other);

/** Changed parts of a draft. */
export function changesOf(draft: RubricDraft, rubric: Rubric) {
  const saved = draftOf(rubric);
  return {
    named: differs(namedOf(draft), namedOf(saved)),
    criteria: differs(criteriaOf(draft), criteriaOf(saved)),
  };
}
