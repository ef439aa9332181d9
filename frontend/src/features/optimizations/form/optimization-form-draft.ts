import type { OptimizationConfig, OptimizationDraft, OptimizationRequest } from "@/api/types";
import {
  modelChoicesOf,
  modelRequestsOf,
  type ModelChoice,
} from "@/components/run-fields/model-choice";
import type { FormValue } from "@/components/schema-form/schema";
import { filledOnly } from "@/components/schema-form/validate";
import {
  scorerDraftsOf,
  scorerRequestOf,
  type ScorerDraft,
} from "@/components/scorer-fields/scorer-draft";

/** Form state of an optimization. Ids are empty strings until something is chosen. */
export interface OptimizationFormDraft {
  name: string;
  promptId: string;
  /** Empty: the latest version. */
  versionId: string;
  datasetId: string;
  goal: string;
  models: readonly ModelChoice[];
  cheaperModels: readonly ModelChoice[];
  scorers: readonly ScorerDraft[];
  strategy: { kind: string; options: FormValue };
  generations: number;
  patience: number;
  /** Of 0 to 1. */
  targetScore: number | null;
  /** Of 0 to 1. */
  minGain: number;
  maxTrainCases: number;
  maxHoldoutCases: number;
  /** US dollars. */
  budget: string;
  seed: number | null;
}

/** Fields that the form shows. */
export const SHOWN =
  /^(name|prompt_id|version_id|dataset_id|goal|models(\.|$)|cheaper_models(\.|$)|scorers(\.|$)|strategy(\.|$)|generations|patience|target_score|min_gain|max_train_cases|max_holdout_cases|budget_usd|seed)/;

export function formDraftOf(draft: OptimizationDraft): OptimizationFormDraft {
  return {
    name: draft.name,
    promptId: draft.prompt_id ?? "",
    versionId: draft.version_id ?? "",
    datasetId: draft.dataset_id ?? "",
    goal: draft.goal,
    models: modelChoicesOf(draft.models ?? []),
    cheaperModels:
      (draft.cheaper_models ?? []).length === 0 ? [] : modelChoicesOf(draft.cheaper_models ?? []),
    scorers: scorerDraftsOf(draft.scorers ?? []),
    strategy: {
      kind: draft.strategy?.kind ?? "evolve",
      options: { ...draft.strategy?.options },
    },
    generations: draft.generations,
    patience: draft.patience,
    targetScore: draft.target_score ?? null,
    minGain: draft.min_gain,
    maxTrainCases: draft.max_train_cases,
    maxHoldoutCases: draft.max_holdout_cases,
    budget: draft.budget_usd,
    seed: draft.seed ?? null,
  };
}

/** What the server needs; null while something is missing. */
export function configOf(draft: OptimizationFormDraft): OptimizationConfig | null {
  const { promptId, datasetId, versionId } = draft;
  const models = modelRequestsOf(draft.models);
  const budget = draft.budget.trim();
  const isComplete = [promptId, datasetId, budget].every((text) => text !== "");
  if (!isComplete || models.length === 0 || draft.scorers.length === 0) {
    return null;
  }
  return {
    prompt_id: promptId,
    version_id: versionId === "" ? null : versionId,
    dataset_id: datasetId,
    goal: draft.goal.trim(),
    models,
    cheaper_models: modelRequestsOf(draft.cheaperModels),
    scorers: draft.scorers.map(scorerRequestOf),
    strategy: { kind: draft.strategy.kind, options: filledOnly(draft.strategy.options) },
    generations: draft.generations,
    patience: draft.patience,
    target_score: draft.targetScore,
    min_gain: draft.minGain,
    max_train_cases: draft.maxTrainCases,
    max_holdout_cases: draft.maxHoldoutCases,
    budget_usd: budget,
    seed: draft.seed,
  };
}

export function requestOf(draft: OptimizationFormDraft): OptimizationRequest | null {
  const config = configOf(draft);
  return config === null ? null : { ...config, name: draft.name.trim() };
}

const NEEDED = {
  name: ({ name }) => name.trim() !== "",
  prompt_id: ({ promptId }) => promptId !== "",
  dataset_id: ({ datasetId }) => datasetId !== "",
  models: ({ models }) => models.some(({ modelId }) => modelId !== ""),
  scorers: ({ scorers }) => scorers.length > 0,
  budget_usd: ({ budget }) => budget.trim() !== "",
} as const satisfies Record<string, (draft: OptimizationFormDraft) => boolean>;

export type NeededField = keyof typeof NEEDED;

/** What is missing, by the server's name of the field. */
export function missingFields(draft: OptimizationFormDraft): NeededField[] {
  return (Object.keys(NEEDED) as NeededField[]).filter((field) => !NEEDED[field](draft));
}
