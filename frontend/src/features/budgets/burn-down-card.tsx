import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Budget, BurnDown, Project } from "@/api/types";
import { ChartFigure, LegendItem } from "@/components/charts/chart-figure";
import { LineChart, type LinePoint } from "@/components/charts/line-chart";
import { ProblemState } from "@/components/problem-state";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { Select } from "@/components/ui/select";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { formatCost, formatPercent } from "@/lib/format";
import { burnDownQuery } from "./queries";
import { dateLabel, dayLabel, hourLabel, momentLabel } from "@/lib/utc-times";
import { budgetName } from "./words";

const toPoints = (points: BurnDown["points"]): LinePoint[] =>
  points.map(({ at, spent_usd }) => ({ at: Date.parse(at), value: Number(spent_usd) }));

const money = (amount: number) => formatCost(String(amount));

/** Forecast text: whether and when the budget runs out. */
function useForecast(burnDown: BurnDown): string {
  const { t } = useTranslation();
  const rate = formatCost(burnDown.usd_per_day);
  // A daily rate is too coarse to show the hour.
  const when = burnDown.step === "hour" ? momentLabel : dateLabel;
  if (burnDown.budget.state === "exhausted") {
    return t("budgets.burnDown.usedUp", { at: when(burnDown.used_up_at ?? "") });
  }
  if (Number(burnDown.usd_per_day) === 0) {
    return t("budgets.burnDown.idle");
  }
  if (burnDown.used_up_at !== null) {
    return t("budgets.burnDown.willEnd", { rate, at: when(burnDown.used_up_at) });
  }
  return burnDown.budget.resets_at === null
    ? t("budgets.burnDown.lasts", { rate })
    : t("budgets.burnDown.resetsFirst", { rate });
}

function BurnDownChart({ burnDown, label }: { burnDown: BurnDown; label: string }) {
  const { t } = useTranslation();
  const forecast = useForecast(burnDown);
  const { budget, step } = burnDown;
  const limit = Number(budget.limit_usd);
  const projection = toPoints(burnDown.projection);
  const formatTime = step === "hour" ? hourLabel : dayLabel;
  const kinds = [
    ...burnDown.points.map((point) => ({ ...point, kind: t("budgets.burnDown.spent") })),
    ...burnDown.projection.slice(1).map((point) => ({
      ...point,
      kind: t("budgets.burnDown.projected"),
    })),
  ];
  return (
    <div className="grid gap-4">
      <p className="text-sm text-pretty">{forecast}</p>
      <ChartFigure
        label={label}
        summary={forecast}
        table={{
          columns: [
            t("budgets.burnDown.when"),
            t("budgets.burnDown.amount"),
            t("budgets.burnDown.kind"),
          ],
          rows: kinds.map(({ at, spent_usd, kind }) => [
            momentLabel(at),
            formatCost(spent_usd),
            kind,
          ]),
        }}
        legend={
          <>
            <LegendItem mark="h-0.5 w-4 bg-chart-1">{t("budgets.burnDown.spent")}</LegendItem>
            {projection.length > 0 ? (
              <LegendItem mark="w-4 border-t-2 border-dashed border-chart-1">
                {t("budgets.burnDown.projected")}
              </LegendItem>
            ) : null}
          </>
        }
      >
        {(size) => (
          <LineChart
            {...size}
            line={toPoints(burnDown.points)}
            projection={projection}
            marks={[
              {
                value: limit,
                tone: "danger",
                label: t("budgets.burnDown.limit", { amount: formatCost(budget.limit_usd) }),
              },
              {
                value: limit * budget.alert_threshold,
                tone: "warning",
                label: t("budgets.alertAt", { share: formatPercent(budget.alert_threshold) }),
              },
            ]}
            formatTime={formatTime}
            formatAmount={money}
            tip={(point) => (
              <>
                <span className="text-ink-muted">{momentLabel(point.at)}</span>
                <span className="font-medium tabular-nums">{money(point.value)}</span>
              </>
            )}
          />
        )}
      </ChartFigure>
    </div>
  );
}

export interface BurnDownCardProps {
  project: Project;
  budgets: readonly Budget[];
  shown: Budget;
  onShown: (budgetId: string) => void;
}

export function BurnDownCard({ project, budgets, shown, onShown }: BurnDownCardProps) {
  const { t } = useTranslation();
  const burnDown = useQuery(burnDownQuery(project.slug, shown.id));
  return (
    <Card aria-labelledby="burn-down-heading" className="min-w-0">
      <CardHeader
        id="burn-down-heading"
        title={t("budgets.burnDown.title")}
        actions={
          budgets.length > 1 ? (
            <Select
              size="sm"
              className="w-56"
              aria-label={t("budgets.burnDown.choose")}
              value={shown.id}
              options={budgets.map((budget) => ({
                value: budget.id,
                label: budgetName(budget, t),
              }))}
              onValueChanged={onShown}
            />
          ) : null
        }
      />
      <CardContent>
        {burnDown.isPending ? (
          <LoadingStatus>
            <Skeleton className="h-64" />
          </LoadingStatus>
        ) : burnDown.isError ? (
          <ProblemState error={burnDown.error} onRetry={() => void burnDown.refetch()} />
        ) : (
          <BurnDownChart burnDown={burnDown.data} label={t("budgets.burnDown.title")} />
        )}
      </CardContent>
    </Card>
  );
}
