import { useTranslation } from "react-i18next";
import type { BudgetInReach } from "@/api/types";
import { formatCost } from "@/lib/format";

export interface BudgetsInReachProps {
  budgets: readonly BudgetInReach[];
  /**
   * Whose texts: without money a run pauses, an experiment does not start its next iteration, and
   * an A/B test ends.
   */
  subject: "runs" | "wizard" | "abTests";
}

/** How an estimate fits every budget that it would spend from. */
export function BudgetsInReach({ budgets, subject }: BudgetsInReachProps) {
  const { t } = useTranslation();
  return budgets.map((budget) => (
    <p
      key={budget.budget_id}
      className={`text-xs ${budget.fit === "fits" ? "text-ink-muted" : "text-warning"}`}
    >
      {t(`${subject}.estimate.budgets.${budget.fit}`, {
        budget: budget.name,
        left: formatCost(budget.left_usd),
      })}
    </p>
  ));
}
