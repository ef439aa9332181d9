import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Wallet } from "lucide-react";
import { Tooltip } from "@/components/ui/tooltip";
import { cn } from "@/lib/cn";
import { formatCost, formatPercent } from "@/lib/format";
import { STATE_LOOKS } from "./budget-state";
import { budgetStateQuery } from "./queries";
import { budgetName, usedShare } from "./words";

const TONES = {
  open: "border-border text-ink-muted hover:border-border-strong hover:text-ink",
  alert: "border-transparent bg-warning-bg text-warning",
  exhausted: "border-transparent bg-danger-bg text-danger",
} as const;

/** Budget indicator of the project, on every page. Renders nothing without budgets. */
export function BudgetChip({ slug }: { slug: string }) {
  const { t } = useTranslation();
  const budget = useQuery(budgetStateQuery(slug)).data?.budget ?? null;
  if (budget === null) {
    return null;
  }
  const Icon = budget.state === "open" ? Wallet : STATE_LOOKS[budget.state].icon;
  const used = t("budgets.used", {
    spent: formatCost(budget.spent_usd),
    limit: formatCost(budget.limit_usd),
    share: formatPercent(usedShare(budget)),
  });
  return (
    <Tooltip side="bottom" content={`${budgetName(budget, t)}: ${used}`}>
      <Link
        to="/p/$slug/budgets"
        params={{ slug }}
        className={cn(
          "flex h-8 items-center gap-1.5 rounded-md border px-2.5 text-xs font-medium tabular-nums transition-colors",
          TONES[budget.state],
        )}
      >
        <Icon aria-hidden className="size-3.5" />
        <span className="sr-only">
          {t(`budgets.states.${budget.state}`)}. {used}
        </span>
        <span aria-hidden>{formatPercent(Math.floor(usedShare(budget) * 100) / 100)}</span>
      </Link>
    </Tooltip>
  );
}
