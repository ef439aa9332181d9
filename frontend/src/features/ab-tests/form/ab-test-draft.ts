import type { AbTest, AbTestChange, AbTestConfig, AbTestRequest } from "@/api/types";
import { changedFields } from "@/components/draft-form/use-draft-form";
import { setParameters } from "@/components/model-parameters/parameter-schema";
import type { FormValue } from "@/components/schema-form/schema";
import {
  scorerDraftsOf,
  scorerRequestOf,
  type ScorerDraft,
} from "@/components/scorer-fields/scorer-draft";

/** Empty strings until something is chosen. */
export interface ArmDraft {
  promptId: string;
  versionId: string;
  modelId: string;
  parameters: FormValue;
}

/** Form state of an A/B test. */
export interface AbTestDraft {
  name: string;
  first: ArmDraft;
  second: ArmDraft;
  /** Null: a program records the answers. */
  datasetId: string | null;
  scorers: readonly ScorerDraft[];
  pairs: number;
  /** Of 0 to 1. */
  worthwhile: number;
  /** US dollars; empty for no limit. */
  budget: string;
}

export const ARMS = ["first", "second"] as const;
export type ArmName = (typeof ARMS)[number];

const NO_ARM: ArmDraft = { promptId: "", versionId: "", modelId: "", parameters: {} };

/** Same as the server's defaults. */
export const START: AbTestDraft = {
  name: "",
  first: NO_ARM,
  second: NO_ARM,
  datasetId: null,
  scorers: [],
  pairs: 200,
  worthwhile: 0.05,
  budget: "1.00",
};

/** Fields that the form shows. */
export const SHOWN =
  /^(name|(first|second)(\.|$)|dataset_id|scorers(\.|$)|pairs|worthwhile|budget_usd)/;

const armDraftOf = (arm: AbTest["first"]): ArmDraft => ({
  promptId: arm.prompt_id ?? "",
  versionId: arm.version_id ?? "",
  modelId: arm.model_id ?? "",
  parameters: { ...arm.parameters },
});

export function draftOfTest(test: AbTest): AbTestDraft {
  return {
    name: test.name,
    first: armDraftOf(test.first),
    second: armDraftOf(test.second),
    datasetId: test.dataset?.id ?? null,
    scorers: scorerDraftsOf(test.scorers),
    pairs: test.pairs,
    worthwhile: test.worthwhile,
    budget: test.budget_usd ?? "",
  };
}

/** Sets the first arm; empty choices of the second follow, since most tests change one thing. */
export function withFirst(draft: AbTestDraft, first: ArmDraft): Partial<AbTestDraft> {
  const { second } = draft;
  return {
    first,
    second: {
      ...second,
      promptId: second.promptId === "" ? first.promptId : second.promptId,
      modelId: second.modelId === "" ? first.modelId : second.modelId,
    },
  };
}

const isChosen = (arm: ArmDraft) => arm.versionId !== "" && arm.modelId !== "";

function armOf(arm: ArmDraft): AbTestConfig["first"] {
  const set = setParameters(arm.parameters);
  return {
    prompt_id: arm.promptId,
    version_id: arm.versionId,
    model_id: arm.modelId,
    parameters: Object.keys(set).length === 0 ? null : set,
  };
}

/** What the server needs; null while something is missing. */
export function planOf(draft: AbTestDraft): AbTestConfig | null {
  if (!isChosen(draft.first) || !isChosen(draft.second) || draft.scorers.length === 0) {
    return null;
  }
  const budget = draft.budget.trim();
  return {
    first: armOf(draft.first),
    second: armOf(draft.second),
    dataset_id: draft.datasetId,
    scorers: draft.scorers.map(scorerRequestOf),
    pairs: draft.pairs,
    worthwhile: draft.worthwhile,
    budget_usd: budget === "" ? null : budget,
  };
}

export function requestOf(draft: AbTestDraft): AbTestRequest | null {
  const plan = planOf(draft);
  return plan === null ? null : { ...plan, name: draft.name.trim() };
}

/** The fields that differ. */
export function changesOf(before: AbTestDraft, after: AbTestDraft): AbTestChange | null {
  const wanted = requestOf(after);
  return wanted === null ? null : changedFields(requestOf(before), wanted);
}

type MissingField = "name" | "promptId" | "versionId" | "modelId" | "scorers";

/** What is missing, by the server's name of the field. */
export function missingFields(draft: AbTestDraft): Record<string, MissingField> {
  const missing: Record<string, MissingField> = {};
  if (draft.name.trim() === "") {
    missing.name = "name";
  }
  for (const name of ARMS) {
    const arm = draft[name];
    if (arm.promptId === "") {
      missing[`${name}.prompt_id`] = "promptId";
    } else if (arm.versionId === "") {
      missing[`${name}.version_id`] = "versionId";
    }
    if (arm.modelId === "") {
      missing[`${name}.model_id`] = "modelId";
    }
  }
  if (draft.scorers.length === 0) {
    missing.scorers = "scorers";
  }
  return missing;
}
