import { useTranslation } from "react-i18next";
import type { Budget } from "@/api/types";
import { cn } from "@/lib/cn";
import { formatCost, formatPercent } from "@/lib/format";
import { STATE_LOOKS } from "./budget-state";
import { usedShare } from "./words";

const percent = (share: number) => `${Math.min(1, Math.max(0, share)) * 100}%`;

/** Budget bar: spent amount, open reservations, and alert threshold. */
export function BudgetBar({ budget, label }: { budget: Budget; label: string }) {
  const { t } = useTranslation();
  const limit = Number(budget.limit_usd);
  const spent = Math.min(1, usedShare(budget));
  const reserved = limit > 0 ? Math.min(1 - spent, Number(budget.reserved_usd) / limit) : 0;
  return (
    <div className="relative py-1">
      <div
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(spent * 100)}
        aria-valuetext={t("budgets.used", {
          spent: formatCost(budget.spent_usd),
          limit: formatCost(budget.limit_usd),
          share: formatPercent(usedShare(budget)),
        })}
        className="flex h-2 overflow-hidden rounded-full bg-surface-hover"
      >
        <div
          className={cn("h-full transition-[width] duration-250", STATE_LOOKS[budget.state].fill)}
          style={{ width: percent(spent) }}
        />
        <div className="h-full bg-ink-decor/60" style={{ width: percent(reserved) }} />
      </div>
      <span
        aria-hidden
        title={t("budgets.alertAt", { share: formatPercent(budget.alert_threshold) })}
        className="absolute top-0 h-4 w-0.5 -translate-x-1/2 rounded-full bg-ink-muted"
        style={{ left: percent(budget.alert_threshold) }}
      />
    </div>
  );
}
