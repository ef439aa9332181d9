import type { Case, ScorerTrialRequest } from "@/api/types";

/** The answer that a scorer is tried on. */
export interface SampleDraft {
  text: string;
  /** By hand, when no case is chosen. */
  input: string;
  expected: string;
  chosen: { datasetId: string; case: Case } | null;
}

export const NO_SAMPLE: SampleDraft = { text: "", input: "", expected: "", chosen: null };

/** What to send; null while there is no answer to score. */
export function sampleOf(draft: SampleDraft): ScorerTrialRequest["sample"] | null {
  const { text, input, expected, chosen } = draft;
  if (text.trim() === "") {
    return null;
  }
  if (chosen !== null) {
    return { text, inputs: {}, dataset_id: chosen.datasetId, case_id: chosen.case.id };
  }
  return {
    text,
    inputs: input.trim() === "" ? {} : { input },
    expected: expected.trim() === "" ? null : expected,
  };
}
