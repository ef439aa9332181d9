import { useQuery } from "@tanstack/react-query";
import { ChartLine } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { MonitorTrend, TrendMarker } from "@/api/types";
import { ChartFigure, LegendItem } from "@/components/charts/chart-figure";
import { formatScore, outOfTen } from "@/components/score-scale";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { formatCost, formatNumber } from "@/lib/format";
import { momentLabel } from "@/lib/utc-times";
import type { TrendDays } from "./monitor-view";
import { trendQuery } from "./queries";
import type { MonitorTabProps } from "./tab-props";
import { TrendCard } from "./trend-card";
import { TrendPlot } from "./trend-plot";
import { markersAt, scoredPoints, type ScoredPoint } from "./trend-shape";

const HEIGHT = 300;

const MARKER_TONES: Record<TrendMarker["kind"], BadgeTone> = {
  version: "info",
  dataset: "neutral",
  baseline: "accent",
  alert: "danger",
  resolved: "success",
};

export interface TrendTabProps extends MonitorTabProps {
  days: TrendDays;
  onDaysChanged: (days: TrendDays) => void;
  onCheckOpened: (checkId: string) => void;
}

function useTrendWords() {
  const { t } = useTranslation();
  return {
    score: ({ score, low, high }: ScoredPoint) =>
      low === null || high === null
        ? outOfTen(score)
        : t("charts.trend.mean", {
            value: outOfTen(score),
            low: outOfTen(low),
            high: outOfTen(high),
          }),
    verdict: ({ verdict }: ScoredPoint) =>
      verdict === null ? "" : t(`monitors.verdicts.${verdict}`),
  };
}

function Legend({ trend }: { trend: MonitorTrend }) {
  const { t } = useTranslation();
  return (
    <>
      <LegendItem mark="h-0.5 w-4 bg-chart-1">{t("monitors.trend.score")}</LegendItem>
      <LegendItem mark="h-2.5 w-4 bg-chart-1/15">{t("monitors.trend.interval")}</LegendItem>
      {trend.baseline_score === null ? null : (
        <LegendItem mark="w-4 border-t-2 border-dashed border-success">
          {t("monitors.trend.baseline")}
        </LegendItem>
      )}
      {trend.threshold === null ? null : (
        <LegendItem mark="w-4 border-t-2 border-dotted border-danger">
          {t("monitors.trend.threshold", { score: formatScore(trend.threshold) })}
        </LegendItem>
      )}
      <LegendItem mark="size-2.5 bg-danger">{t("monitors.verdicts.lower")}</LegendItem>
      {trend.every === 1 ? null : (
        <span>{t("monitors.trend.thinned", { every: trend.every })}</span>
      )}
    </>
  );
}

function TrendFigure({ trend, ...props }: TrendTabProps & { trend: MonitorTrend }) {
  const { t } = useTranslation();
  const words = useTrendWords();
  const points = scoredPoints(trend);
  const last = points.at(-1);
  return (
    <ChartFigure
      label={t("monitors.trend.label")}
      summary={t("monitors.trend.summary", {
        count: points.length,
        last: last === undefined ? t("ui.unknown") : words.score(last),
        baseline: trend.baseline_score === null ? t("ui.unknown") : outOfTen(trend.baseline_score),
      })}
      height={HEIGHT}
      table={{
        columns: (
          ["check", "score", "baseline", "finding", "cases", "version", "cost"] as const
        ).map((name) => t(`monitors.trend.columns.${name}`)),
        rows: points
          .toReversed()
          .map((point) => [
            `${point.number} · ${momentLabel(point.at)}`,
            words.score(point),
            point.baseline === null ? "—" : outOfTen(point.baseline),
            words.verdict(point),
            formatNumber(point.cases),
            point.version_label ?? "—",
            formatCost(point.cost_usd),
          ]),
      }}
      legend={<Legend trend={trend} />}
    >
      {(size) => (
        <TrendPlot
          {...size}
          trend={trend}
          onPointChosen={({ check_id }) => props.onCheckOpened(check_id)}
          tip={(point, all) => (
            <>
              <span className="font-medium">
                {t("monitors.check.number", { number: point.number })}
              </span>
              <span className="text-ink-muted">{momentLabel(point.at)}</span>
              <span className="tabular-nums">{words.score(point)}</span>
              <span>{words.verdict(point)}</span>
              <span className="text-ink-muted">{point.version_label}</span>
              {markersAt(trend, all, point).map((marker, index) => (
                <span key={index}>
                  {t(`monitors.markers.${marker.kind}`)}: {marker.text}
                </span>
              ))}
            </>
          )}
        />
      )}
    </ChartFigure>
  );
}

function Markers({ markers }: { markers: readonly TrendMarker[] }) {
  const { t } = useTranslation();
  if (markers.length === 0) {
    return null;
  }
  return (
    <Card aria-labelledby="monitor-markers">
      <CardHeader id="monitor-markers" title={t("monitors.markers.title")} />
      <CardContent>
        <ul className="grid gap-3">
          {markers.toReversed().map((marker, index) => (
            <li key={index} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-sm">
              <Badge tone={MARKER_TONES[marker.kind]}>{t(`monitors.markers.${marker.kind}`)}</Badge>
              <span className="min-w-0 flex-1 wrap-anywhere">{marker.text}</span>
              <RelativeTime iso={marker.at} className="text-xs text-ink-muted" />
            </li>
          ))}
        </ul>
      </CardContent>
    </Card>
  );
}

function Loaded(props: TrendTabProps & { trend: MonitorTrend }) {
  const { t } = useTranslation();
  const { trend } = props;
  if (scoredPoints(trend).length === 0) {
    return (
      <EmptyState
        bare
        icon={<ChartLine />}
        title={t("monitors.trend.empty")}
        description={t(
          props.monitor.check_count === 0 ? "monitors.trend.emptyHint" : "monitors.trend.noneHere",
        )}
      />
    );
  }
  return (
    <div className="grid gap-4">
      <TrendFigure {...props} />
      {trend.skipped + trend.failed === 0 ? null : (
        <p className="text-sm text-ink-muted">
          {t("monitors.trend.notMeasured", { skipped: trend.skipped, failed: trend.failed })}
        </p>
      )}
    </div>
  );
}

/** Scores of a monitor over time. */
export function TrendTab(props: TrendTabProps) {
  const { at, days, onDaysChanged } = props;
  const { t } = useTranslation();
  const trend = useQuery(trendQuery(at, days));
  return (
    <div className="grid grid-cols-1 gap-6">
      <TrendCard
        id="monitor-trend"
        title={t("monitors.trend.title")}
        trend={trend}
        days={days}
        onDaysChanged={onDaysChanged}
        skeleton="h-75 rounded-lg"
      >
        {(found) => <Loaded {...props} trend={found} />}
      </TrendCard>
      <Markers markers={trend.data?.markers ?? []} />
    </div>
  );
}
