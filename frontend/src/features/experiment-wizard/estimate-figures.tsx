import { CircleCheck, CircleAlert, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ExperimentEstimate } from "@/api/types";
import { BudgetsInReach } from "@/components/budgets-in-reach";
import { cn } from "@/lib/cn";
import { formatCost, formatDuration, formatNumber, formatRange, formatUsd } from "@/lib/format";
import { budgetCoverage, type BudgetCoverage } from "./budget-coverage";

const LOOKS = {
  within: { tone: "text-success", Icon: CircleCheck },
  tight: { tone: "text-warning", Icon: TriangleAlert },
  short: { tone: "text-warning", Icon: TriangleAlert },
  none: { tone: "text-danger", Icon: CircleAlert },
} as const satisfies Record<BudgetCoverage["verdict"], unknown>;

interface RowProps {
  label: string;
  children: ReactNode;
  detail?: string;
  strong?: boolean;
}

function Row({ label, children, detail, strong = false }: RowProps) {
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 tabular-nums">
      <dt className="text-ink-muted">{label}</dt>
      <dd className={cn("text-right", strong && "font-semibold")}>{children}</dd>
      {detail === undefined ? null : (
        <dd className="col-span-2 text-right text-xs text-ink-muted">{detail}</dd>
      )}
    </div>
  );
}

/** Whether the budget is sufficient, as text. */
export function BudgetWords({
  estimate,
  budget,
}: {
  estimate: ExperimentEstimate;
  budget: string;
}) {
  const { t } = useTranslation();
  const reach = budgetCoverage(estimate, budget);
  if (reach === null) {
    return null;
  }
  const { tone, Icon } = LOOKS[reach.verdict];
  return (
    <p className={cn("flex items-start gap-2 text-xs", tone)}>
      <Icon aria-hidden className="mt-px size-3.5 shrink-0" />
      {t(`wizard.estimate.reach.${reach.verdict}`, {
        budget: formatUsd(budget),
        count: reach.iterations,
        most: formatNumber(estimate.iterations.high ?? 0),
      })}
    </p>
  );
}

export interface EstimateFiguresProps {
  estimate: ExperimentEstimate;
  iteration: NonNullable<ExperimentEstimate["iteration"]>;
  budget: string;
}

/** Calls, cost and duration of one iteration and of all, compared with the budget. */
export function EstimateFigures({ estimate, iteration, budget }: EstimateFiguresProps) {
  const { t } = useTranslation();
  const unknown = t("wizard.estimate.unknown");
  const { train_cases: train, holdout_cases: holdout, iterations, cost, seconds } = estimate;
  const count = (cases: number | null) => (cases === null ? unknown : formatNumber(cases));
  const calls = iteration.answer_calls + iteration.judge_calls + iteration.refine_calls;
  return (
    <div className="grid gap-4 text-sm">
      <dl className="grid gap-2">
        <Row
          label={t("wizard.estimate.cases")}
          detail={t("wizard.estimate.casesSplit", {
            train: count(train),
            holdout: count(holdout),
          })}
        >
          {count(train === null || holdout === null ? null : train + holdout)}
        </Row>
        <Row label={t("wizard.estimate.configurations")}>
          {formatNumber(estimate.configurations)}
        </Row>
      </dl>
      <section className="grid gap-2">
        <h3 className="text-xs font-semibold text-ink-muted">
          {t("wizard.estimate.perIteration")}
        </h3>
        <dl className="grid gap-2">
          <Row
            label={t("wizard.estimate.calls")}
            detail={t("wizard.estimate.callsSplit", {
              answers: formatNumber(iteration.answer_calls),
              judges: formatNumber(iteration.judge_calls),
              refiner: formatNumber(iteration.refine_calls),
            })}
          >
            {formatNumber(calls)}
          </Row>
          <Row label={t("wizard.estimate.cost")}>
            {formatRange(iteration.cost.low_usd, iteration.cost.high_usd, formatCost) ?? unknown}
          </Row>
          <Row label={t("wizard.estimate.time")}>
            {formatRange(iteration.seconds.low, iteration.seconds.high, formatDuration) ?? unknown}
          </Row>
        </dl>
      </section>
      <section className="grid gap-2 border-t border-border pt-4">
        <h3 className="text-xs font-semibold text-ink-muted">{t("wizard.estimate.inAll")}</h3>
        <dl className="grid gap-2">
          <Row label={t("wizard.estimate.iterations")}>
            {formatRange(iterations.low, iterations.high, formatNumber) ?? unknown}
          </Row>
          <Row strong label={t("wizard.estimate.cost")}>
            {formatRange(cost.low_usd, cost.high_usd, formatCost) ?? unknown}
          </Row>
          <Row label={t("wizard.estimate.time")}>
            {formatRange(seconds.low, seconds.high, formatDuration) ?? unknown}
          </Row>
          <Row label={t("wizard.estimate.budget")}>{formatUsd(budget)}</Row>
        </dl>
        <BudgetWords estimate={estimate} budget={budget} />
        <BudgetsInReach budgets={estimate.budgets} subject="wizard" />
        {iteration.unpriced_models.length === 0 ? null : (
          <p className="text-xs text-warning">
            {t("wizard.estimate.unpriced", { models: iteration.unpriced_models.join(", ") })}
          </p>
        )}
      </section>
    </div>
  );
}
