import type { Case, ScorerTrialRequest } from "@/api/types";

/** Form state of the sample that a scorer is tried on. */
export interface SampleDraft {
  text: string;
  /** Entered by hand, without a case. */
  input: string;
  expected: string;
  chosen: { datasetId: string; case: Case } | null;
}

export const NO_SAMPLE: SampleDraft = { text: "", input: "", expected: "", chosen: null };

/** Sample of the request; null while there is no answer. */
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
