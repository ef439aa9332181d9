import type { SavedScorer, SavedScorerRequest, ScorerKind } from "@/api/types";
import { initialValue, type FormValue } from "@/components/schema-form/schema";
import { isEmpty } from "@/components/schema-form/validate";

/** A scorer as it is being edited. */
export interface ScorerDraft {
  name: string;
  description: string;
  /** The rubric that the criteria come from; null when they are among the options. */
  rubricVersionId: string | null;
  options: FormValue;
  weight: number | null;
  threshold: number | null;
  isNegated: boolean;
}

export function newScorer(kind: ScorerKind, rubricVersionId: string | null): ScorerDraft {
  const { options_schema } = kind;
  return {
    name: "",
    description: "",
    rubricVersionId: kind.takes_rubric ? rubricVersionId : null,
    options: initialValue(options_schema, options_schema) as FormValue,
    weight: 1,
    threshold: null,
    isNegated: false,
  };
}

export function draftOf(scorer: SavedScorer): ScorerDraft {
  return {
    name: scorer.name,
    description: scorer.description ?? "",
    rubricVersionId: scorer.rubric?.version.id ?? null,
    options: scorer.options,
    weight: scorer.weight,
    threshold: scorer.threshold,
    isNegated: scorer.is_negated,
  };
}

/** What a version holds. Empty options are left to the scorer's own defaults. */
export function settingsOf(draft: ScorerDraft) {
  const options = Object.entries(draft.options).filter(
    ([name, value]) => !isEmpty(value) && !(draft.rubricVersionId !== null && name === "criteria"),
  );
  return {
    options: Object.fromEntries(options),
    rubric_version_id: draft.rubricVersionId,
    threshold: draft.threshold,
    weight: draft.weight ?? 1,
    is_negated: draft.isNegated,
  };
}

export function namedOf({ name, description }: ScorerDraft) {
  const told = description.trim();
  return { name: name.trim(), description: told === "" ? null : told };
}

export function requestOf(kind: string, draft: ScorerDraft): SavedScorerRequest {
  return { kind, ...namedOf(draft), ...settingsOf(draft) };
}

const differs = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other);

/** Which parts of a draft are not as they were saved. */
export function changesOf(draft: ScorerDraft, scorer: SavedScorer) {
  const saved = draftOf(scorer);
  return {
    named: differs(namedOf(draft), namedOf(saved)),
    settings: differs(settingsOf(draft), settingsOf(saved)),
  };
}
