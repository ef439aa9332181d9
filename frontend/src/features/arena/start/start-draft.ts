import type { RunRequest } from "@/api/types";
import { scorerRequestOf, type ScorerDraft } from "@/components/scorer-fields/scorer-draft";

/** Form state of a new comparison of models. */
export interface StartDraft {
  datasetId: string;
  modelIds: readonly string[];
  /** `as_is`: the question itself is the prompt. */
  asking: "as_is" | "prompt";
  /** Input variable that is asked; empty: the usual one. */
  variable: string;
  promptId: string;
  repeats: number;
  scorers: readonly ScorerDraft[];
}

export const EMPTY_START: StartDraft = {
  datasetId: "",
  modelIds: [],
  asking: "as_is",
  variable: "",
  promptId: "",
  repeats: 1,
  scorers: [],
};

/** What is missing before the comparison can start; null when nothing is. */
export type MissingPart = "dataset" | "models" | "variable" | "prompt";

export function missingPart(draft: StartDraft, variable: string): MissingPart | null {
  if (draft.datasetId === "") {
    return "dataset";
  }
  if (draft.modelIds.length === 0) {
    return "models";
  }
  if (draft.asking === "prompt") {
    return draft.promptId === "" ? "prompt" : null;
  }
  return variable === "" ? "variable" : null;
}

/** Run request; null while something is missing. */
export function startRequest(draft: StartDraft, name: string, variable: string): RunRequest | null {
  if (missingPart(draft, variable) !== null) {
    return null;
  }
  const asked =
    draft.asking === "as_is" ? { question_variable: variable } : { prompt_id: draft.promptId };
  return {
    name,
    variants: draft.modelIds.map((modelId) => ({ ...asked, model_id: modelId })),
    dataset_id: draft.datasetId,
    repeats: draft.repeats,
    scorers: draft.scorers.map(scorerRequestOf),
    is_cache_bypassed: false,
    failed_count_zero: false,
    origin: "arena",
  };
}
