import { useTranslation } from "react-i18next";
import type { Monitor } from "@/api/types";
import { Kpi } from "@/components/results/kpi";
import { outOfTen } from "@/components/score-scale";
import { Button } from "@/components/ui/button";
import { Explained } from "@/components/ui/explained";
import { RelativeTime } from "@/components/ui/relative-time";
import { formatCost, formatPercent } from "@/lib/format";
import { changeOf, formatChange } from "./check-figures";
import { useBudgetNote } from "./use-budget-note";

export interface MonitorFiguresProps {
  monitor: Monitor;
  onCheckOpened: (checkId: string) => void;
}

function LastScore({ monitor, onCheckOpened }: MonitorFiguresProps) {
  const { t } = useTranslation();
  const { last_measured: last } = monitor;
  if (last?.score == null) {
    return <Kpi label={t("monitors.kpi.score")} value="–" note={t("monitors.kpi.noScore")} />;
  }
  const change = changeOf(last);
  const { low = null, high = null } = last.measures ?? {};
  return (
    <Kpi
      label={t("monitors.kpi.score")}
      value={outOfTen(last.score)}
      unit="/10"
      note={
        <>
          <span className="tabular-nums">
            <Explained
              text={
                low === null || high === null
                  ? t("monitors.kpi.noInterval")
                  : t("monitors.kpi.interval", { low: outOfTen(low), high: outOfTen(high) })
              }
            />
          </span>
          <span className="tabular-nums">
            {change === null
              ? t("monitors.kpi.noBaseline")
              : t("monitors.againstBaseline", { change: formatChange(change) })}
          </span>
          <Button
            variant="ghost"
            size="sm"
            className="-mb-2 -ml-3 text-accent-ink"
            onClick={() => onCheckOpened(last.id)}
          >
            {t("monitors.kpi.openCheck", { number: last.number })}
          </Button>
        </>
      }
    />
  );
}

function BaselineFigure({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation();
  const { baseline, last_measured: last, config } = monitor;
  const drops = (last?.measures?.models ?? []).flatMap(({ drop }) => drop?.smallest_visible ?? []);
  const threshold = config.rules?.drop?.threshold ?? null;
  return (
    <Kpi
      label={t("monitors.kpi.baseline")}
      {...(baseline.score === null
        ? { value: "–" }
        : { value: outOfTen(baseline.score), unit: "/10" })}
      note={
        <>
          <span>
            {baseline.is_pinned
              ? t("monitors.baseline.pinned", { number: baseline.checks[0] })
              : t("monitors.baseline.checks", { count: baseline.checks.length })}
          </span>
          {drops.length === 0 ? null : (
            <span>
              {t("monitors.kpi.smallestDrop", { share: formatPercent(Math.max(...drops)) })}
            </span>
          )}
          {config.rules?.drop?.kind === "off" || threshold === null ? null : (
            <span>{t("monitors.kpi.threshold", { share: formatPercent(threshold) })}</span>
          )}
        </>
      }
    />
  );
}

function NextCheck({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation();
  const { next_run_at: next, check_count: count } = monitor;
  return (
    <Kpi
      label={t("monitors.kpi.next")}
      value={
        next === null ? (
          <span className="text-lg">{t("monitors.noNext")}</span>
        ) : (
          <span className="text-lg">
            <RelativeTime iso={next} />
          </span>
        )
      }
      note={
        <>
          <span>{monitor.schedule} UTC</span>
          <span>{t("monitors.kpi.checks", { count })}</span>
        </>
      }
    />
  );
}

function CostFigure({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation();
  const { today_usd: today, lifetime_usd: lifetime } = monitor.money;
  const budget = useBudgetNote(monitor.money);
  return (
    <Kpi
      label={t("monitors.kpi.today")}
      value={formatCost(today)}
      note={
        <>
          <span>{budget}</span>
          <span>{t("monitors.cost.lifetime", { cost: formatCost(lifetime) })}</span>
        </>
      }
    />
  );
}

/** Key figures of a monitor. */
export function MonitorFigures(props: MonitorFiguresProps) {
  const { t } = useTranslation();
  return (
    <section
      aria-label={t("monitors.kpi.label")}
      className="grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-4"
    >
      <h2 className="sr-only">{t("monitors.kpi.label")}</h2>
      <LastScore {...props} />
      <BaselineFigure monitor={props.monitor} />
      <NextCheck monitor={props.monitor} />
      <CostFigure monitor={props.monitor} />
    </section>
  );
}
