import { useTranslation } from "react-i18next";
import type { Monitor } from "@/api/types";
import { formatUsd } from "@/lib/format";

/** What limits the cost of a monitor's day. */
export function useBudgetNote(money: Monitor["money"]): string {
  const { t } = useTranslation();
  const { daily_budget_usd: budget } = money;
  return budget === null
    ? t("monitors.cost.noBudget")
    : t("monitors.cost.budget", { budget: formatUsd(budget) });
}
