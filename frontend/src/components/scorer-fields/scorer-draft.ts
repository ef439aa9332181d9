import type { ScorerRequest } from "@/api/types";
import type { FormValue } from "@/components/schema-form/schema";
import { filledOnly } from "@/components/schema-form/validate";

export interface ScorerDraft {
  /** Stable list key while scorers are edited. */
  key: number;
  /**
   * Version of a saved scorer, which defines everything but the weight; null for one defined here.
   */
  versionId: string | null;
  kind: string;
  options: FormValue;
  weight: number | null;
  threshold: number | null;
  isNegated: boolean;
  /** Name in results; the default one when omitted. */
  label?: string | undefined;
}

export function scorerRequestOf(draft: ScorerDraft): ScorerRequest {
  const { versionId, kind, options, threshold, isNegated, label } = draft;
  const shared = { weight: draft.weight ?? 1, ...(label === undefined ? {} : { label }) };
  if (versionId !== null) {
    return { scorer_version_id: versionId, ...shared, is_negated: false };
  }
  return { kind, options: filledOnly(options), ...shared, threshold, is_negated: isNegated };
}

/** Form state of stored scorers. */
export function scorerDraftsOf(scorers: readonly ScorerRequest[]): ScorerDraft[] {
  return scorers.map((scorer, key) => ({
    key,
    versionId: scorer.scorer_version_id ?? null,
    kind: scorer.kind ?? "",
    options: scorer.options ?? {},
    weight: scorer.weight,
    threshold: scorer.threshold ?? null,
    isNegated: scorer.is_negated,
    label: scorer.label ?? undefined,
  }));
}
