import { scaleLinear, scaleUtc } from "@visx/scale";
import { Area, LinePath } from "@visx/shape";
import { useState, type PointerEvent, type ReactNode } from "react";
import type { CheckVerdict, MonitorTrend, TrendMarker } from "@/api/types";
import { Axes, ChartTip, MARGIN } from "@/components/charts/axes";
import { outOfTen } from "@/components/score-scale";
import { cn } from "@/lib/cn";
import { dayLabel, hourLabel } from "@/lib/utc-times";
import {
  nearestPoint,
  scoreDomain,
  scoredPoints,
  spansHours,
  timeDomain,
  type ScoredPoint,
} from "./trend-shape";

export const MARKER_STROKES: Record<TrendMarker["kind"], string> = {
  version: "stroke-chart-2",
  dataset: "stroke-chart-4",
  baseline: "stroke-chart-3",
  alert: "stroke-danger",
  resolved: "stroke-success",
};

const POINT_FILLS: Record<CheckVerdict, string> = {
  good: "fill-chart-1",
  lower: "fill-danger",
  unconfirmed: "fill-warning",
  not_comparable: "fill-chart-rest",
  unscored: "fill-chart-rest",
};

export interface TrendPlotProps {
  width: number;
  height: number;
  trend: MonitorTrend;
  tip: (point: ScoredPoint, points: readonly ScoredPoint[]) => ReactNode;
  onPointChosen: (point: ScoredPoint) => void;
}

/** Drops are marked by shape too: a confirmed one is a square. */
function PointShape({ x, y, verdict }: { x: number; y: number; verdict: CheckVerdict | null }) {
  const className = cn(POINT_FILLS[verdict ?? "unscored"], "stroke-raised stroke-2");
  return verdict === "lower" ? (
    <rect x={x - 5} y={y - 5} width={10} height={10} className={className} />
  ) : (
    <circle cx={x} cy={y} r={4.5} className={className} />
  );
}

/** Scores over time with intervals, the baseline, its threshold, and vertical lines of changes. */
export function TrendPlot({ width, height, trend, tip, onPointChosen }: TrendPlotProps) {
  const [pointed, setPointed] = useState<ScoredPoint | null>(null);
  const points = scoredPoints(trend);
  const times = timeDomain(trend);
  const floor = height - MARGIN.bottom;
  const right = width - MARGIN.right;
  const x = scaleUtc({ domain: times, range: [MARGIN.left + 8, right - 8] });
  const y = scaleLinear({ domain: scoreDomain(trend), range: [floor, MARGIN.top] });
  const label = spansHours(times) ? hourLabel : dayLabel;
  const at = (point: ScoredPoint) => x(point.time);
  const banded = points.filter(({ low, high }) => low !== null && high !== null);
  const based = points.filter(({ baseline }) => baseline !== null);
  const { baseline_score: baseline, threshold } = trend;
  const onPointerMove = (event: PointerEvent<SVGSVGElement>) => {
    const left = event.currentTarget.getBoundingClientRect().left;
    setPointed(nearestPoint(points, x.invert(event.clientX - left).getTime()) ?? null);
  };
  return (
    <>
      <svg
        width={width}
        height={height}
        className={cn(pointed !== null && "cursor-pointer")}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setPointed(null)}
        onClick={() => pointed !== null && onPointChosen(pointed)}
      >
        <Axes
          width={width}
          height={height}
          xTicks={x
            .ticks(Math.max(2, Math.floor(width / 90)))
            .map((tick) => ({ at: x(tick), label: label(tick.getTime()) }))}
          yTicks={y.ticks(4).map((value) => ({ at: y(value), label: outOfTen(value) }))}
        />
        {baseline === null || threshold === null ? null : (
          <rect
            x={MARGIN.left}
            width={Math.max(0, right - MARGIN.left)}
            y={y(baseline)}
            height={Math.max(0, y(threshold) - y(baseline))}
            className="fill-success/8"
          />
        )}
        {trend.markers.map((marker, index) => (
          <line
            key={index}
            x1={x(Date.parse(marker.at))}
            x2={x(Date.parse(marker.at))}
            y1={MARGIN.top}
            y2={floor}
            strokeDasharray={marker.kind === "alert" ? undefined : "3 3"}
            className={cn(MARKER_STROKES[marker.kind], "stroke-[1.5]")}
          />
        ))}
        <Area
          data={banded}
          x={at}
          y0={(point) => y(point.low ?? point.score)}
          y1={(point) => y(point.high ?? point.score)}
          className="fill-chart-1/15"
        />
        {threshold === null ? null : (
          <line
            x1={MARGIN.left}
            x2={right}
            y1={y(threshold)}
            y2={y(threshold)}
            strokeDasharray="2 3"
            className="stroke-danger stroke-[1.5]"
          />
        )}
        <LinePath
          data={based}
          x={at}
          y={(point) => y(point.baseline ?? point.score)}
          strokeDasharray="6 4"
          className="fill-none stroke-success stroke-[1.5]"
        />
        <LinePath
          data={points}
          x={at}
          y={(point) => y(point.score)}
          className="fill-none stroke-chart-1 stroke-2"
        />
        {points.map((point) => (
          <PointShape
            key={point.check_id}
            x={at(point)}
            y={y(point.score)}
            verdict={point.verdict}
          />
        ))}
        {pointed === null ? null : (
          <circle
            cx={at(pointed)}
            cy={y(pointed.score)}
            r={8}
            className="fill-none stroke-ink stroke-[1.5]"
          />
        )}
      </svg>
      {pointed === null ? null : (
        <ChartTip x={at(pointed)} width={width}>
          {tip(pointed, points)}
        </ChartTip>
      )}
    </>
  );
}
