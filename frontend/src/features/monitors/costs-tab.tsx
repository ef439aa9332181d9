import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Wallet } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { MonitorTrend } from "@/api/types";
import { ChartFigure } from "@/components/charts/chart-figure";
import { seriesColour } from "@/components/charts/series-colours";
import { StackedBars } from "@/components/charts/stacked-bars";
import { Kpi } from "@/components/results/kpi";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCost, formatNumber } from "@/lib/format";
import { dayLabel } from "@/lib/utc-times";
import { fillDays, monthAtThisRate, type DayCost } from "./day-costs";
import type { TrendDays } from "./monitor-view";
import { trendQuery } from "./queries";
import type { MonitorTabProps } from "./tab-props";
import { TrendCard } from "./trend-card";
import { useBudgetNote } from "./use-budget-note";

/** Smaller amounts are differences of rounding. */
const NOTHING_USD = 1e-7;

const money = (amount: number) => formatCost(amount.toFixed(9));

export interface CostsTabProps extends MonitorTabProps {
  days: TrendDays;
  onDaysChanged: (days: TrendDays) => void;
}

function DayChart({ days }: { days: readonly DayCost[] }) {
  const { t } = useTranslation();
  const total = days.reduce((sum, { cost }) => sum + cost, 0);
  return (
    <ChartFigure
      label={t("monitors.costs.label")}
      summary={t("monitors.costs.summary", { count: days.length, cost: money(total) })}
      table={{
        columns: (["day", "checks", "cost"] as const).map((name) =>
          t(`monitors.costs.columns.${name}`),
        ),
        rows: days
          .toReversed()
          .map(({ day, checks, cost }) => [dayLabel(day), formatNumber(checks), money(cost)]),
      }}
    >
      {(size) => (
        <StackedBars
          {...size}
          bars={days.map(({ day, cost }) => ({ label: dayLabel(day), parts: [cost] }))}
          colours={[seriesColour(0)]}
          formatAmount={money}
          tip={(index) => {
            const shown = days[index];
            return shown === undefined ? null : (
              <>
                <span className="text-ink-muted">{dayLabel(shown.day)}</span>
                <span className="font-medium tabular-nums">{money(shown.cost)}</span>
                <span>{t("monitors.kpi.checks", { count: shown.checks })}</span>
              </>
            );
          }}
        />
      )}
    </ChartFigure>
  );
}

function Figures({ monitor, trend }: Pick<CostsTabProps, "monitor"> & { trend: MonitorTrend }) {
  const { t } = useTranslation();
  const budget = useBudgetNote(monitor.money);
  const { today_usd: today, lifetime_usd: lifetime } = monitor.money;
  const days = fillDays(trend.day_costs);
  const measured = days.reduce((sum, { cost }) => sum + cost, 0);
  const count = days.reduce((sum, { checks }) => sum + checks, 0);
  return (
    <section
      aria-label={t("monitors.costs.figures")}
      className="grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-4"
    >
      <h2 className="sr-only">{t("monitors.costs.figures")}</h2>
      <Kpi label={t("monitors.costs.today")} value={formatCost(today)} note={budget} />
      <Kpi
        label={t("monitors.costs.average")}
        value={count === 0 ? "–" : money(measured / count)}
        note={t("monitors.trend.checksMeasured", { count })}
      />
      <Kpi
        label={t("monitors.costs.month")}
        value={count === 0 ? "–" : money(monthAtThisRate(days))}
        note={t("monitors.costs.period", { cost: formatCost(trend.cost_usd) })}
      />
      <Kpi
        label={t("monitors.costs.lifetime")}
        value={formatCost(lifetime)}
        note={t("monitors.kpi.checks", { count: monitor.check_count })}
      />
    </section>
  );
}

function Loaded({ at, monitor, trend }: CostsTabProps & { trend: MonitorTrend }) {
  const { t } = useTranslation();
  const days = fillDays(trend.day_costs);
  const rest = Number(trend.cost_usd) - days.reduce((sum, { cost }) => sum + cost, 0);
  if (days.length === 0) {
    return (
      <EmptyState
        bare
        icon={<Wallet />}
        title={t("monitors.costs.empty")}
        description={t(
          monitor.check_count === 0 ? "monitors.costs.emptyHint" : "monitors.trend.noneHere",
        )}
      />
    );
  }
  return (
    <div className="grid gap-4">
      <DayChart days={days} />
      <p className="text-sm text-ink-muted">
        {rest > NOTHING_USD ? <>{t("monitors.costs.other", { cost: money(rest) })} </> : null}
        <Link
          to="/p/$slug/budgets"
          params={{ slug: at.project }}
          className="rounded-sm text-accent-ink hover:underline"
        >
          {t("monitors.costs.budgetLink")}
        </Link>
      </p>
    </div>
  );
}

/** What the checks of a monitor cost, by day. */
export function CostsTab(props: CostsTabProps) {
  const { at, monitor, days, onDaysChanged } = props;
  const { t } = useTranslation();
  const trend = useQuery(trendQuery(at, days));
  return (
    <div className="grid grid-cols-1 gap-6">
      {trend.data === undefined ? null : <Figures monitor={monitor} trend={trend.data} />}
      <TrendCard
        id="monitor-costs"
        title={t("monitors.costs.title")}
        trend={trend}
        days={days}
        onDaysChanged={onDaysChanged}
        skeleton="h-55 rounded-lg"
      >
        {(found) => <Loaded {...props} trend={found} />}
      </TrendCard>
    </div>
  );
}
