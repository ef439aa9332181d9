import { useTranslation } from "react-i18next";
import type { MeanEstimate } from "@/api/types";
import { outOfTen } from "@/components/score-scale";
import { Explained } from "@/components/ui/explained";
import { ChartFigure, LegendItem } from "./chart-figure";
import { TrendChart } from "./trend-chart";

export interface ScorePoint {
  iteration: number;
  version_label: string;
  train: MeanEstimate | null;
  holdout: MeanEstimate | null;
}

export interface ScoreTrendProps {
  points: readonly ScorePoint[];
  /** Number of the best iteration. */
  best?: number | undefined;
  height?: number;
}

const MARKS = {
  train: "size-2.5 rounded-full bg-chart-1",
  holdout: "size-2 rotate-45 bg-chart-2",
} as const;

function useMeanWords() {
  const { t } = useTranslation();
  return (mean: MeanEstimate | null): string => {
    if (mean?.value == null) {
      return t("charts.trend.none");
    }
    return mean.interval === null
      ? outOfTen(mean.value)
      : t("charts.trend.mean", {
          value: outOfTen(mean.value),
          low: outOfTen(mean.interval.low),
          high: outOfTen(mean.interval.high),
        });
  };
}

/** Scores of versions over iterations, out of 10, with 95% intervals. */
export function ScoreTrend({ points, best, height = 240 }: ScoreTrendProps) {
  const { t } = useTranslation();
  const words = useMeanWords();
  const hasHoldout = points.some(({ holdout }) => holdout !== null && holdout.value !== null);
  const kinds = hasHoldout ? (["train", "holdout"] as const) : (["train"] as const);
  const label = ({ iteration, version_label }: ScorePoint) => `${iteration} · ${version_label}`;
  const shown = hasHoldout ? ("holdout" as const) : ("train" as const);
  const at = points.findIndex(({ iteration }) => iteration === best);
  return (
    <ChartFigure
      label={t("charts.trend.label")}
      summary={t("charts.trend.summary", {
        kind: t(`charts.trend.${shown}`),
        scores: points.map((point) => `${label(point)}: ${words(point[shown])}`).join("; "),
      })}
      table={{
        columns: [t("charts.trend.iteration"), ...kinds.map((kind) => t(`charts.trend.${kind}`))],
        rows: points.map((point) => [label(point), ...kinds.map((kind) => words(point[kind]))]),
      }}
      legend={
        <>
          {kinds.map((kind) => (
            <LegendItem key={kind} mark={MARKS[kind]}>
              {t(`charts.trend.${kind}`)}
            </LegendItem>
          ))}
          {at === -1 ? null : (
            <LegendItem mark="size-2.5 rounded-sm bg-success-bg ring-1 ring-success/40">
              {t("charts.trend.best")}
            </LegendItem>
          )}
          <span>
            <Explained text={t("charts.trend.whiskers")} />
          </span>
        </>
      }
      height={height}
    >
      {({ width }) => (
        <TrendChart
          width={width}
          height={height}
          labels={points.map(label)}
          best={at === -1 ? undefined : at}
          series={kinds.map((kind) => ({ key: kind, means: points.map((point) => point[kind]) }))}
          formatValue={outOfTen}
          tip={(index) => {
            const point = points[index];
            return point === undefined ? null : (
              <>
                <span className="font-medium">{label(point)}</span>
                {kinds.map((kind) => (
                  <span key={kind} className="tabular-nums">
                    {t(`charts.trend.${kind}`)}: {words(point[kind])}
                  </span>
                ))}
              </>
            );
          }}
        />
      )}
    </ChartFigure>
  );
}
