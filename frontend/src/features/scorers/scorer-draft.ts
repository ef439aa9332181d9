import type { SavedScorer, SavedScorerRequest, ScorerKind } from "@/api/types";
import { initialValue, type FormValue } from "@/components/schema-form/schema";
import { isEmpty } from "@/components/schema-form/validate";

/** Form state of a scorer. */
export interface ScorerDraft {
  name: string;
  description: string;
  /** Rubric version of the criteria; null when they are among the options. */
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

/** Settings of a version. Empty options use the scorer's defaults. */
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
  const trimmed = description.trim();
  return { name: name.trim(), description: trimmed === "" ? null : trimmed };
}

export function requestOf(kind: string, draft: ScorerDraft): SavedScorerRequest {
  return { kind, ...namedOf(draft), ...settingsOf(draft) };
}

const differs = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other);

/** Changed parts of a draft. */
export function changesOf(draft: ScorerDraft, scorer: SavedScorer) {
  const saved = draftOf(scorer);
  return {
    named: differs(namedOf(draft), namedOf(saved)),
    settings: differs(settingsOf(draft), settingsOf(saved)),
  };
}
