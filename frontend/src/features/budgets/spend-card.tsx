import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ListCard } from "@/components/list-card";
import { formatCost } from "@/lib/format";
import { BudgetBar } from "./budget-bar";
import { budgetsQuery } from "./queries";
import { budgetName } from "./words";

/** Spending against the project's budgets, for its home page. */
export function SpendCard({ slug }: { slug: string }) {
  const { t } = useTranslation();
  return (
    <ListCard
      title={t("budgets.spend.title")}
      query={useQuery(budgetsQuery(slug))}
      empty={t("budgets.spend.empty")}
      actions={
        <Link
          to="/p/$slug/budgets"
          params={{ slug }}
          className="rounded-sm text-sm text-accent-ink hover:underline"
        >
          {t("budgets.spend.all")}
        </Link>
      }
      row={(budget) => (
        <li key={budget.id} className="grid grid-cols-[minmax(0,1fr)] gap-1.5 px-5 py-3">
          <span className="flex items-baseline justify-between gap-3 text-sm">
            <span className="min-w-0 truncate font-medium" title={budgetName(budget, t)}>
              {budgetName(budget, t)}
            </span>
            <span className="shrink-0 text-xs text-ink-muted tabular-nums">
              {t("budgets.spend.of", {
                spent: formatCost(budget.spent_usd),
                limit: formatCost(budget.limit_usd),
              })}
            </span>
          </span>
          <BudgetBar budget={budget} label={budgetName(budget, t)} />
        </li>
      )}
    />
  );
}
