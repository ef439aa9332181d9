import type { AbTestRequest } from "@/api/types";

export interface ArmDraft {
  promptId: string;
  versionId: string;
  modelId: string;
}

/** The form's fields, as typed. */
export interface AbTestDraft {
  name: string;
  first: ArmDraft;
  second: ArmDraft;
  /** Null: a program records the answers. */
  datasetId: string | null;
  /** Versions of saved scorers, with their weights. */
  scorers: readonly { versionId: string; weight: number }[];
  pairs: string;
  worthwhile: string;
  budget: string;
}

const NO_ARM: ArmDraft = { promptId: "", versionId: "", modelId: "" };

export const START: AbTestDraft = {
  name: "",
  first: NO_ARM,
  second: NO_ARM,
  datasetId: null,
  scorers: [],
  pairs: "200",
  worthwhile: "0.05",
  budget: "1.00",
};

const isChosen = (arm: ArmDraft) => arm.versionId !== "" && arm.modelId !== "";

/** Whether the form can be sent; the server validates the values. */
export function isComplete(draft: AbTestDraft): boolean {
  return (
    draft.name.trim() !== "" &&
    isChosen(draft.first) &&
    isChosen(draft.second) &&
    draft.scorers.length > 0 &&
    Number.isInteger(Number(draft.pairs)) &&
    Number.isFinite(Number(draft.worthwhile)) &&
    Number.isFinite(Number(draft.budget))
  );
}

const armOf = (arm: ArmDraft) => ({
  prompt_id: arm.promptId,
  version_id: arm.versionId,
  model_id: arm.modelId,
});

export function requestOf(draft: AbTestDraft): AbTestRequest {
  const budget = draft.budget.trim();
  return {
    name: draft.name.trim(),
    first: armOf(draft.first),
    second: armOf(draft.second),
    dataset_id: draft.datasetId,
    scorers: draft.scorers.map(({ versionId, weight }) => ({
      scorer_version_id: versionId,
      weight,
      is_negated: false,
    })),
    pairs: Number(draft.pairs),
    worthwhile: Number(draft.worthwhile),
    budget_usd: budget === "" ? null : budget,
  };
}
