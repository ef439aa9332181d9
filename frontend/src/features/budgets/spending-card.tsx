import { useQuery } from "@tanstack/react-query";
import { Coins } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Project, Spending } from "@/api/types";
import { ChartFigure, LegendItem } from "@/components/charts/chart-figure";
import { REST_COLOUR, seriesColour } from "@/components/charts/series-colours";
import { StackedBars } from "@/components/charts/stacked-bars";
import { ProblemState } from "@/components/problem-state";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Segmented } from "@/components/ui/segmented";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { formatCost } from "@/lib/format";
import { spendingQuery } from "./queries";
import { dayLabel } from "@/lib/utc-times";
import { SPENDING_BY, SPENDING_DAYS, type SpendingBy, type SpendingDays } from "./view";
import { originLabel, purposeLabel } from "./words";

const money = (amount: number) => formatCost(String(amount));

function useSeries(spending: Spending) {
  const { t } = useTranslation();
  const nameOf = (name: string | null) => {
    if (name === null) {
      return spending.by === "day" ? t("budgets.spending.all") : t("budgets.spending.rest");
    }
    if (spending.by === "origin") {
      return originLabel(name);
    }
    return spending.by === "purpose" ? purposeLabel(name) : name;
  };
  return spending.series.map((series, index) => ({
    ...series,
    label: series.is_simulated
      ? t("budgets.spending.simulated", { name: nameOf(series.name) })
      : nameOf(series.name),
    colour: series.name === null && spending.by !== "day" ? REST_COLOUR : seriesColour(index),
  }));
}

function Spent({ spending }: { spending: Spending }) {
  const { t } = useTranslation();
  const series = useSeries(spending);
  const amounts = spending.days.map((_, day) =>
    series.map(({ costs_usd }) => Number(costs_usd[day] ?? 0)),
  );
  const sum = (day: number) => money((amounts[day] ?? []).reduce((total, part) => total + part, 0));
  const title = t("budgets.spending.title");
  return (
    <ChartFigure
      label={title}
      summary={t(
        Number(spending.simulated_usd) > 0
          ? "budgets.spending.summaryWithSimulated"
          : "budgets.spending.summary",
        {
          total: formatCost(spending.total_usd),
          simulated: formatCost(spending.simulated_usd),
          count: spending.days.length,
        },
      )}
      table={{
        columns: [
          t("budgets.spending.day"),
          ...(series.length > 1 ? series.map(({ label }) => label) : []),
          t("budgets.spending.total"),
        ],
        rows: spending.days.map((day, index) => [
          dayLabel(day),
          ...(series.length > 1 ? (amounts[index] ?? []).map(money) : []),
          sum(index),
        ]),
      }}
      legend={
        spending.by === "day"
          ? null
          : series.map(({ label, colour, total_usd }, at) => (
              <LegendItem key={at} mark={`size-2.5 rounded-sm ${colour.ground}`}>
                {label} <span className="tabular-nums">{formatCost(total_usd)}</span>
              </LegendItem>
            ))
      }
    >
      {(size) => (
        <StackedBars
          {...size}
          bars={spending.days.map((day, index) => ({
            label: dayLabel(day),
            parts: amounts[index] ?? [],
          }))}
          colours={series.map(({ colour }) => colour)}
          formatAmount={money}
          tip={(index) => (
            <>
              <span className="text-ink-muted">{dayLabel(spending.days[index] ?? "")}</span>
              <span className="font-medium tabular-nums">{sum(index)}</span>
              {spending.by === "day"
                ? null
                : series.map(({ label, colour }, at) =>
                    (amounts[index]?.[at] ?? 0) > 0 ? (
                      <LegendItem key={at} mark={`size-2 rounded-sm ${colour.ground}`}>
                        {label}{" "}
                        <span className="tabular-nums">{money(amounts[index]?.[at] ?? 0)}</span>
                      </LegendItem>
                    ) : null,
                  )}
            </>
          )}
        />
      )}
    </ChartFigure>
  );
}

export interface SpendingCardProps {
  project: Project;
  by: SpendingBy;
  days: SpendingDays;
  onByChanged: (by: SpendingBy) => void;
  onDaysChanged: (days: SpendingDays) => void;
}

export function SpendingCard({ project, by, days, onByChanged, onDaysChanged }: SpendingCardProps) {
  const { t } = useTranslation();
  const spending = useQuery(spendingQuery(project.slug, by, days));
  return (
    <Card aria-labelledby="spending-heading" className="min-w-0">
      <CardHeader
        id="spending-heading"
        title={t("budgets.spending.title")}
        description={
          spending.data === undefined
            ? null
            : t("budgets.spending.summary", {
                total: formatCost(spending.data.total_usd),
                count: spending.data.days.length,
              })
        }
        actions={
          <div className="flex flex-wrap gap-2">
            <Segmented
              label={t("budgets.spending.by.label")}
              value={by}
              options={SPENDING_BY.map((value) => ({
                value,
                label: t(`budgets.spending.by.${value}`),
              }))}
              onValueChanged={onByChanged}
            />
            <Segmented
              label={t("budgets.spending.days.label")}
              value={days}
              options={SPENDING_DAYS.map((value) => ({
                value,
                label: t(`budgets.spending.days.${value}`),
              }))}
              onValueChanged={onDaysChanged}
            />
          </div>
        }
      />
      <CardContent>
        {spending.isPending ? (
          <LoadingStatus>
            <Skeleton className="h-64" />
          </LoadingStatus>
        ) : spending.isError ? (
          <ProblemState error={spending.error} onRetry={() => void spending.refetch()} />
        ) : spending.data.series.length === 0 ? (
          <EmptyState
            bare
            icon={<Coins />}
            title={t("budgets.spending.empty")}
            description={t("budgets.spending.emptyHint")}
          />
        ) : (
          <Spent spending={spending.data} />
        )}
      </CardContent>
    </Card>
  );
}
