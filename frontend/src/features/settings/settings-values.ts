import { z } from "zod";
import { asProblem } from "@/api/problem";
import type { SettingsRead, SettingsUpdate } from "@/api/types";
import { i18n } from "@/lib/i18n";

function whole(min: number, max: number) {
  const error = () => i18n.t("validation.wholeBetween", { min, max });
  return z.number({ error }).int({ error }).min(min, { error }).max(max, { error });
}

const MAX_BUDGET = 10_000;
const budgetError = () => i18n.t("validation.budget", { max: MAX_BUDGET });
const thresholdError = () => i18n.t("validation.percent");

export const settingsSchema = z.object({
  default_budget_usd: z
    .string()
    .trim()
    .refine((text) => /^\d{1,5}(\.\d{1,9})?$/.test(text) && Number(text) <= MAX_BUDGET, {
      error: budgetError,
    }),
  default_max_iterations: whole(1, 100),
  allow_synthetic_datasets: z.boolean(),
  require_review_approval: z.boolean(),
  /** Shown in percent, sent as a share. */
  cost_alert_percent: z
    .number({ error: thresholdError })
    .min(0, { error: thresholdError })
    .max(100, { error: thresholdError }),
  archive_days: whole(1, 3650),
  retention_days: whole(0, 3650),
});
export type SettingsValues = z.infer<typeof settingsSchema>;
export type SettingsField = keyof SettingsValues;

export const SETTINGS_FIELDS: readonly SettingsField[] = [
  "default_budget_usd",
  "default_max_iterations",
  "cost_alert_percent",
  "archive_days",
  "retention_days",
  "allow_synthetic_datasets",
  "require_review_approval",
];

export function toValues(settings: Omit<SettingsRead, "updated_at">): SettingsValues {
  return {
    default_budget_usd: settings.default_budget_usd,
    default_max_iterations: settings.default_max_iterations,
    allow_synthetic_datasets: settings.allow_synthetic_datasets,
    require_review_approval: settings.require_review_approval,
    cost_alert_percent: Math.round(settings.cost_alert_threshold * 1000) / 10,
    archive_days: settings.archive_days,
    retention_days: settings.retention_days,
  };
}

export function toUpdate(values: SettingsValues, version: number): SettingsUpdate {
  const { cost_alert_percent, ...rest } = values;
  return { ...rest, version, cost_alert_threshold: Math.round(cost_alert_percent * 10) / 1000 };
}

export type SettingsChoice = "mine" | "theirs";

/** Fields with conflicting changes. */
export function conflictingFields(mine: SettingsValues, theirs: SettingsValues): SettingsField[] {
  return SETTINGS_FIELDS.filter((field) => mine[field] !== theirs[field]);
}

export function mergeValues(
  mine: SettingsValues,
  theirs: SettingsValues,
  choices: Partial<Record<SettingsField, SettingsChoice>>,
): SettingsValues {
  const kept = Object.fromEntries(
    SETTINGS_FIELDS.filter((field) => choices[field] !== "theirs").map((field) => [
      field,
      mine[field],
    ]),
  );
  return { ...theirs, ...kept };
}

const currentSchema = z.object({
  version: z.number(),
  default_budget_usd: z.string(),
  default_max_iterations: z.number(),
  allow_synthetic_datasets: z.boolean(),
  require_review_approval: z.boolean(),
  cost_alert_threshold: z.number(),
  archive_days: z.number(),
  retention_days: z.number(),
});
export type CurrentSettings = z.infer<typeof currentSchema>;

/** Settings saved by another user, when saving failed because of them. */
export function staleSettings(error: unknown): CurrentSettings | null {
  const problem = asProblem(error);
  if (problem.code !== "STALE") {
    return null;
  }
  const parsed = z.object({ current: currentSchema }).safeParse(problem.details);
  return parsed.success ? parsed.data.current : null;
}
