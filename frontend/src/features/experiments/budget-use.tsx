import { useTranslation } from "react-i18next";
import type { ExperimentSummary } from "@/api/types";
import { Progress } from "@/components/ui/progress";
import { formatCost, formatUsd } from "@/lib/format";

const NEAR_LIMIT = 80;

/** Spent share of the budget, as text and as a bar. */
export function BudgetUse({
  experiment,
}: {
  experiment: Pick<ExperimentSummary, "cost_usd" | "budget_usd">;
}) {
  const { t } = useTranslation();
  const { cost_usd: cost, budget_usd: budget } = experiment;
  const share = Number(budget) > 0 ? Math.min(100, (100 * Number(cost)) / Number(budget)) : 0;
  const words = t("experiments.spent", { cost: formatCost(cost), budget: formatUsd(budget) });
  return (
    <span className="grid min-w-28 gap-1.5">
      <span className="text-xs whitespace-nowrap text-ink-muted tabular-nums">{words}</span>
      <Progress
        label={words}
        value={share}
        tone={share >= 100 ? "danger" : share >= NEAR_LIMIT ? "warning" : "accent"}
      />
    </span>
  );
}
