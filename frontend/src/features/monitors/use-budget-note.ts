import { useTranslation } from "react-i18next";
import type { Monitor } from "@/api/types";
import { formatUsd } from "@/lib/format";

/** What limits the cost of a monitor's day. */
export function useBudgetNote(money: Monitor["money"]): string {
  const { t } = useTranslation();
  const { daily_budget_usd: budget, counted_usd: counted, today_usd: today } = money;
  if (budget === null) {
    return t("monitors.cost.noBudget");
  }
  const isSimulated = Number(counted) === 0 && Number(today) > 0;
  return t(isSimulated ? "monitors.cost.simulated" : "monitors.cost.budget", {
    budget: formatUsd(budget),
  });
}
