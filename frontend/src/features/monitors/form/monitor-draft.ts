import type {
  CaseChoice,
  Monitor,
  MonitorChange,
  MonitorDraft,
  MonitorPlan,
  MonitorRequest,
  MonitorRules,
} from "@/api/types";
import type { CaseFilter } from "@/components/case-filter/case-filter-fields";
import { changedFields } from "@/components/draft-form/use-draft-form";
import {
  modelChoicesOf,
  modelRequestsOf,
  type ModelChoice,
} from "@/components/run-fields/model-choice";
import {
  scorerDraftsOf,
  scorerRequestOf,
  type ScorerDraft,
} from "@/components/scorer-fields/scorer-draft";

/** Same as the server's defaults. */
export const DEFAULT_RULES: MonitorRules = {
  drop: { kind: "two_stage", threshold: 0.1, recovery: 0.05 },
  predicted: { is_on: true, threshold: 0.7 },
  errors: { is_on: true, max_share: 0.1 },
  latency: { is_on: true, max_ratio: 2 },
  cost: { is_on: true, max_ratio: 2 },
  budget: true,
  not_running: true,
};

/** Form state of a monitor. */
export interface MonitorFormDraft {
  name: string;
  promptId: string | null;
  /** Null: the production version at the time of each check. */
  versionId: string | null;
  datasetId: string | null;
  cases: CaseChoice | null;
  models: readonly ModelChoice[];
  scorers: readonly ScorerDraft[];
  repeats: number;
  cron: string;
  rules: MonitorRules;
  /** US dollars; empty for no limit. */
  budget: string;
}

export function draftOfNew(draft: MonitorDraft): MonitorFormDraft {
  return {
    name: draft.name,
    promptId: draft.prompt_id ?? null,
    versionId: draft.version_id ?? null,
    datasetId: draft.dataset_id ?? null,
    cases: null,
    models: modelChoicesOf(draft.models ?? []),
    scorers: scorerDraftsOf(draft.scorers ?? []),
    repeats: draft.repeats,
    cron: draft.cron,
    rules: DEFAULT_RULES,
    budget: draft.daily_budget_usd,
  };
}

export function draftOfMonitor(monitor: Monitor): MonitorFormDraft {
  const { config, prompt, money } = monitor;
  return {
    name: monitor.name,
    promptId: prompt.id,
    versionId: prompt.is_production ? null : prompt.version_id,
    datasetId: monitor.dataset?.id ?? null,
    cases: config.cases ?? null,
    models: modelChoicesOf(config.models),
    scorers: scorerDraftsOf(config.scorers),
    repeats: config.repeats,
    cron: monitor.cron,
    rules: { ...DEFAULT_RULES, ...config.rules },
    budget: money.daily_budget_usd ?? "",
  };
}

/** What the server needs; null while something is missing. */
export function planOf(draft: MonitorFormDraft): MonitorPlan | null {
  const { promptId, datasetId, scorers } = draft;
  const models = modelRequestsOf(draft.models);
  if (promptId === null || datasetId === null || models.length === 0 || scorers.length === 0) {
    return null;
  }
  return {
    prompt_id: promptId,
    version_id: draft.versionId,
    dataset_id: datasetId,
    cases: draft.cases,
    models,
    scorers: scorers.map(scorerRequestOf),
    repeats: draft.repeats,
    cron: draft.cron.trim(),
    rules: draft.rules,
    daily_budget_usd: draft.budget.trim() === "" ? null : draft.budget.trim(),
  };
}

export function requestOf(draft: MonitorFormDraft): MonitorRequest | null {
  const plan = planOf(draft);
  return plan === null ? null : { ...plan, name: draft.name.trim() };
}

/** The fields that differ: unchanged scorers must not begin a new baseline. */
export function changesOf(before: MonitorFormDraft, after: MonitorFormDraft): MonitorChange | null {
  const wanted = requestOf(after);
  return wanted === null ? null : changedFields(requestOf(before), wanted);
}

/** Split, tag and number of the chosen cases. */
export function filterOf(cases: CaseChoice | null): CaseFilter {
  return {
    split: cases?.filter?.split ?? undefined,
    tag: cases?.filter?.tag ?? undefined,
    limit: cases?.limit ?? null,
  };
}

/** Keeps the parts of a choice that the form does not show. Null chooses all cases. */
export function casesWith(
  cases: CaseChoice | null,
  { split, tag, limit }: CaseFilter,
): CaseChoice | null {
  const filter = Object.fromEntries(
    Object.entries({ ...cases?.filter, split, tag }).filter(([, value]) => value != null),
  );
  const choice: CaseChoice = {
    ...(cases?.case_ids == null ? {} : { case_ids: cases.case_ids }),
    ...(Object.keys(filter).length === 0 ? {} : { filter }),
    ...(limit == null ? {} : { limit }),
  };
  return Object.keys(choice).length === 0 ? null : choice;
}

/** What is missing, by field. */
export function missingFields(draft: MonitorFormDraft): (keyof MonitorFormDraft)[] {
  return [
    ...(draft.name.trim() === "" ? ["name" as const] : []),
    ...(draft.promptId === null ? ["promptId" as const] : []),
    ...(draft.datasetId === null ? ["datasetId" as const] : []),
    ...(draft.models.every(({ modelId }) => modelId === "") ? ["models" as const] : []),
    ...(draft.scorers.length === 0 ? ["scorers" as const] : []),
  ];
}

/** Fields that the form shows. */
export const SHOWN =
  /^(name|prompt_id|version_id|dataset_id|cases(\.|$)|models(\.|$)|scorers(\.|$)|repeats|cron|rules(\.|$)|daily_budget_usd)/;
