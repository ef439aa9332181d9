import { scaleLinear } from "@visx/scale";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { BoardRow } from "@/api/arena";
import { Axes, ChartTip, MARGIN } from "@/components/charts/axes";
import { ChartFigure, LegendItem } from "@/components/charts/chart-figure";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { Explained } from "@/components/ui/explained";
import { formatScore, outOfTen } from "@/components/score-scale";
import { formatCost, truncate } from "@/lib/format";
import { cn } from "@/lib/cn";

const LONGEST_LABEL = 24;
const AIR = 0.05;

interface Point {
  id: string;
  name: string;
  usd: number;
  score: number;
  low: number;
  high: number;
  isOnFront: boolean;
}

function pointsOf(rows: readonly BoardRow[]): Point[] {
  return rows.flatMap((row) =>
    row.score === null || row.answer_usd === null || !row.is_compared
      ? []
      : [
          {
            id: row.model_id,
            name: row.name,
            usd: Number(row.answer_usd),
            score: row.score,
            low: row.score_low ?? row.score,
            high: row.score_high ?? row.score,
            isOnFront: row.is_on_front,
          },
        ],
  );
}

interface PlotProps {
  points: readonly Point[];
  width: number;
  height: number;
}

function scalesOf({ points, width, height }: PlotProps) {
  const most = Math.max(...points.map(({ usd }) => usd)) || 1;
  const low = Math.max(0, Math.min(...points.map((point) => point.low)) - AIR);
  const high = Math.min(1, Math.max(...points.map((point) => point.high)) + AIR);
  return {
    x: scaleLinear({ domain: [0, most * 1.1], range: [MARGIN.left, width - MARGIN.right] }),
    y: scaleLinear({ domain: [low, high], range: [height - MARGIN.bottom, MARGIN.top] }),
  };
}

function Plot(props: PlotProps) {
  const { points, width, height } = props;
  const { t } = useTranslation();
  const [pointed, setPointed] = useState<Point | null>(null);
  const { x, y } = scalesOf(props);
  const front = points.filter((point) => point.isOnFront).toSorted((a, b) => a.usd - b.usd);
  return (
    <>
      <svg width={width} height={height}>
        <Axes
          width={width}
          height={height}
          xTicks={x.ticks(4).map((usd) => ({ at: x(usd), label: formatCost(String(usd)) }))}
          yTicks={y.ticks(4).map((score) => ({ at: y(score), label: outOfTen(score) }))}
        />
        <polyline
          points={front.map(({ usd, score }) => `${x(usd)},${y(score)}`).join(" ")}
          strokeDasharray="4 4"
          className="fill-none stroke-chart-1"
        />
        {points.map((point) => {
          const isLeft = x(point.usd) > width * 0.7;
          return (
            <g
              key={point.id}
              onPointerEnter={() => setPointed(point)}
              onPointerLeave={() => setPointed(null)}
            >
              <line
                x1={x(point.usd)}
                x2={x(point.usd)}
                y1={y(point.low)}
                y2={y(point.high)}
                className="stroke-border-strong"
              />
              <circle
                cx={x(point.usd)}
                cy={y(point.score)}
                r={5}
                className={cn(point.isOnFront ? "fill-chart-1" : "fill-chart-rest")}
              />
              <text
                x={x(point.usd) + (isLeft ? -8 : 8)}
                y={y(point.score) - 12}
                textAnchor={isLeft ? "end" : "start"}
                className="fill-ink stroke-raised stroke-[3px] text-xs [paint-order:stroke]"
              >
                {truncate(point.name, LONGEST_LABEL)}
              </text>
            </g>
          );
        })}
      </svg>
      {pointed === null ? null : (
        <ChartTip x={x(pointed.usd)} width={width}>
          <span className="font-medium wrap-anywhere">{pointed.name}</span>
          <span>
            {formatScore(pointed.score)} ({outOfTen(pointed.low)}–{outOfTen(pointed.high)})
          </span>
          <span>{t("arena.chart.each", { cost: formatCost(String(pointed.usd)) })}</span>
        </ChartTip>
      )}
    </>
  );
}

/** Score against cost per answer. */
export function ParetoChart({ rows }: { rows: readonly BoardRow[] }) {
  const { t } = useTranslation();
  const points = pointsOf(rows);
  if (points.length < 2) {
    return null;
  }
  const front = points.filter((point) => point.isOnFront).map(({ name }) => name);
  return (
    <Card aria-label={t("arena.chart.title")}>
      <CardHeader
        title={t("arena.chart.title")}
        description={<Explained text={t("arena.chart.hint")} />}
      />
      <CardContent>
        <ChartFigure
          label={t("arena.chart.title")}
          summary={t("arena.chart.summary", { count: points.length, names: front.join(", ") })}
          height={300}
          legend={
            <>
              <LegendItem mark="size-2.5 rounded-full bg-chart-1">{t("arena.front")}</LegendItem>
              <LegendItem mark="size-2.5 rounded-full bg-chart-rest">
                {t("arena.chart.behind")}
              </LegendItem>
            </>
          }
          table={{
            columns: [t("arena.columns.model"), t("arena.columns.score"), t("arena.columns.cost")],
            rows: points.map(({ name, score, usd }) => [
              name,
              formatScore(score),
              formatCost(String(usd)),
            ]),
          }}
        >
          {(size) => <Plot points={points} {...size} />}
        </ChartFigure>
      </CardContent>
    </Card>
  );
}
