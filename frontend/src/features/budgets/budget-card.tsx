import { ChartSpline, Pencil, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Budget } from "@/api/types";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CommandMenu } from "@/components/ui/command-menu";
import { RelativeTime } from "@/components/ui/relative-time";
import { cn } from "@/lib/cn";
import { formatCost, formatPercent } from "@/lib/format";
import { BudgetBar } from "./budget-bar";
import { BudgetStateBadge } from "./budget-state";
import { budgetName, scopeLabel, usedShare } from "./words";

export interface BudgetCardProps {
  budget: Budget;
  manages: boolean;
  isShown: boolean;
  onShown: () => void;
  onEdited: () => void;
  onDeleted: () => void;
}

function CardMenu({ budget, onEdited, onDeleted }: BudgetCardProps) {
  const { t } = useTranslation();
  return (
    <CommandMenu
      label={t("budgets.actionsFor", { name: budgetName(budget, t) })}
      className="-mt-1.5 -mr-2"
      commands={[
        { icon: Pencil, label: t("budgets.edit.action"), onChosen: onEdited },
        { icon: Trash2, label: t("budgets.delete.action"), isDanger: true, onChosen: onDeleted },
      ]}
    />
  );
}

function Facts({ budget }: { budget: Budget }) {
  const { t } = useTranslation();
  return (
    <ul className="grid gap-1 text-xs text-ink-muted">
      {Number(budget.reserved_usd) > 0 ? (
        <li className="flex items-center gap-1.5">
          <span aria-hidden className="size-2 rounded-full bg-ink-decor/60" />
          {t("budgets.reserved", { amount: formatCost(budget.reserved_usd) })}
        </li>
      ) : null}
      <li>{t("budgets.alertAt", { share: formatPercent(budget.alert_threshold) })}</li>
      {budget.counts_simulated ? <li>{t("budgets.countsSimulated")}</li> : null}
      <li>
        {budget.resets_at === null ? (
          t(`budgets.periods.${budget.period}.resets`)
        ) : (
          <>
            {t("budgets.resets")} <RelativeTime iso={budget.resets_at} />
          </>
        )}
      </li>
    </ul>
  );
}

export function BudgetCard(props: BudgetCardProps) {
  const { budget, manages, isShown, onShown } = props;
  const { t } = useTranslation();
  const name = budgetName(budget, t);
  return (
    <Card
      aria-label={name}
      className={cn("grid grid-cols-1 content-start gap-3 p-5", isShown && "border-accent-ink")}
    >
      <div className="flex items-start justify-between gap-3">
        <div className="grid min-w-0 gap-0.5">
          <h2 className="truncate text-sm font-semibold" title={scopeLabel(budget, t)}>
            {scopeLabel(budget, t)}
          </h2>
          <p className="text-xs text-ink-muted">{t(`budgets.periods.${budget.period}.long`)}</p>
        </div>
        {manages ? <CardMenu {...props} /> : null}
      </div>
      <p className="flex flex-wrap items-baseline gap-x-1.5">
        <span className="text-xl font-semibold tracking-tight tabular-nums">
          {formatCost(budget.spent_usd)}
        </span>
        <span className="text-sm text-ink-muted">
          {t("budgets.ofLimit", { limit: formatCost(budget.limit_usd) })}
        </span>
        <span className="ml-auto text-xs text-ink-muted tabular-nums">
          {formatPercent(usedShare(budget))}
        </span>
      </p>
      <BudgetBar budget={budget} label={name} />
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <BudgetStateBadge state={budget.state} />
        <Button
          variant="ghost"
          size="sm"
          className="-mr-2"
          aria-pressed={isShown}
          onClick={onShown}
        >
          <ChartSpline aria-hidden />
          {t("budgets.burnDown.show")}
        </Button>
      </div>
      <Facts budget={budget} />
    </Card>
  );
}
