import type { TFunction } from "i18next";
import type { Budget } from "@/api/types";
import { i18n } from "@/lib/i18n";

const PURPOSES = ["try", "try_scorer", "generate", "answer", "judge", "refine", "assist"] as const;

/** Label of a call's purpose; unknown purposes are shown as stored. */
export function purposeLabel(purpose: string): string {
  const known = PURPOSES.find((candidate) => candidate === purpose);
  return known === undefined ? purpose : i18n.t(`budgets.purposes.${known}`);
}

const ORIGINS = [
  "api",
  "playground",
  "experiment",
  "arena",
  "monitor",
  "ab_test",
  "optimization",
  "eval",
  "cli",
  "questions",
  "outside",
  "deleted",
] as const;

/** What started the runs that made calls; unknown origins are shown as stored. */
export function originLabel(origin: string): string {
  const known = ORIGINS.find((candidate) => candidate === origin);
  return known === undefined ? origin : i18n.t(`spendingGroups.origins.${known}`);
}

/** "Project, per day" or "Experiment Shorter replies, in total". */
export function budgetName(budget: Budget, t: TFunction): string {
  return t("budgets.name", {
    scope: scopeLabel(budget, t),
    period: t(`budgets.periods.${budget.period}.short`),
  });
}

export function scopeLabel(budget: Budget, t: TFunction): string {
  if (budget.scope === "project") {
    return t("budgets.scopes.project");
  }
  const kind = t(`budgets.scopes.${budget.scope}`);
  return budget.scope_name === null
    ? t("budgets.scopes.gone", { kind })
    : t("budgets.scopes.named", { kind, name: budget.scope_name });
}

/** Used share of the limit, from 0; may exceed 1. A limit of zero counts as used up. */
export function usedShare(budget: Pick<Budget, "spent_usd" | "limit_usd">): number {
  const limit = Number(budget.limit_usd);
  return limit > 0 ? Number(budget.spent_usd) / limit : 1;
}
