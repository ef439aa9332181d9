import { scaleLinear, scalePoint } from "@visx/scale";
import { useState, type ReactNode } from "react";
import type { MeanEstimate } from "@/api/types";
import { cn } from "@/lib/cn";
import { Axes, ChartTip, everyNth, MARGIN } from "./axes";

export interface TrendSeries {
  key: string;
  /** One mean per label; null where nothing was measured. */
  means: readonly (MeanEstimate | null)[];
}

export interface TrendChartProps {
  width: number;
  height: number;
  labels: readonly string[];
  /** At most two: they differ by shape and dashes, not by colour alone. */
  series: readonly TrendSeries[];
  /** Index of the highlighted label. */
  best?: number | undefined;
  formatValue: (value: number) => string;
  tip: (index: number) => ReactNode;
}

const LOOKS = [
  { stroke: "stroke-chart-1", fill: "fill-chart-1", dashes: undefined },
  { stroke: "stroke-chart-2", fill: "fill-chart-2", dashes: "5 4" },
] as const;
const WHISKER = 4;
const APART = 7;

interface Mark {
  x: number;
  y: number;
  low: number | null;
  high: number | null;
}

function MarkShape({ mark, at }: { mark: Mark; at: number }) {
  const fill = LOOKS[at]?.fill;
  return at === 0 ? (
    <circle cx={mark.x} cy={mark.y} r={4.5} className={cn(fill, "stroke-raised stroke-2")} />
  ) : (
    <rect
      x={mark.x - 4}
      y={mark.y - 4}
      width={8}
      height={8}
      transform={`rotate(45 ${mark.x} ${mark.y})`}
      className={cn(fill, "stroke-raised stroke-2")}
    />
  );
}

function Whisker({ x, low, high, className }: Mark & { className: string | undefined }) {
  if (low === null || high === null) {
    return null;
  }
  return (
    <g className={cn(className, "stroke-[1.5] opacity-70")}>
      <line x1={x} x2={x} y1={low} y2={high} />
      <line x1={x - WHISKER} x2={x + WHISKER} y1={low} y2={low} />
      <line x1={x - WHISKER} x2={x + WHISKER} y1={high} y2={high} />
    </g>
  );
}

function Series({ marks, at }: { marks: readonly Mark[]; at: number }) {
  const look = LOOKS[at];
  return (
    <g>
      <polyline
        points={marks.map(({ x, y }) => `${x},${y}`).join(" ")}
        strokeDasharray={look?.dashes}
        className={cn(look?.stroke, "fill-none stroke-2")}
      />
      {marks.map((mark) => (
        <Whisker key={mark.x} {...mark} className={look?.stroke} />
      ))}
      {marks.map((mark) => (
        <MarkShape key={mark.x} mark={mark} at={at} />
      ))}
    </g>
  );
}

/** The observed range with a margin, clamped to 0 and 1. */
export function trendDomain(series: readonly TrendSeries[]): [low: number, high: number] {
  const seen = series.flatMap(({ means }) =>
    means.flatMap((mean) =>
      mean?.value == null
        ? []
        : [mean.value, mean.interval?.low ?? mean.value, mean.interval?.high ?? mean.value],
    ),
  );
  if (seen.length === 0) {
    return [0, 1];
  }
  const [low, high] = [Math.min(...seen), Math.max(...seen)];
  const air = Math.max(0.05, (high - low) * 0.1);
  return [Math.max(0, low - air), Math.min(1, high + air)];
}

/** Means in order, with their intervals as whiskers. */
export function TrendChart(props: TrendChartProps) {
  const { width, height, labels, series, best, formatValue, tip } = props;
  const [pointed, setPointed] = useState<number | null>(null);
  const floor = height - MARGIN.bottom;
  const x = scalePoint({
    domain: labels.map((_, index) => index),
    range: [MARGIN.left, width - MARGIN.right],
    padding: 0.5,
  });
  const y = scaleLinear({ domain: trendDomain(series), range: [floor, MARGIN.top] });
  const place = (index: number) => x(index) ?? 0;
  const marksOf = ({ means }: TrendSeries, at: number): Mark[] =>
    means.flatMap((mean, index) => {
      if (mean?.value == null) {
        return [];
      }
      const { value, interval } = mean;
      // Offset horizontally, so that whiskers do not overlap.
      const aside = series.length === 1 ? 0 : (at - 0.5) * APART;
      return [
        {
          x: place(index) + aside,
          y: y(value),
          low: interval === null ? null : y(interval.low),
          high: interval === null ? null : y(interval.high),
        },
      ];
    });
  const step = everyNth(labels.length, width - MARGIN.left, 72);
  return (
    <>
      <svg width={width} height={height} onPointerLeave={() => setPointed(null)}>
        <Axes
          width={width}
          height={height}
          xTicks={labels.flatMap((label, index) =>
            index % step === 0 ? [{ at: place(index), label }] : [],
          )}
          yTicks={y.ticks(4).map((value) => ({ at: y(value), label: formatValue(value) }))}
        />
        {best === undefined ? null : (
          <rect
            x={place(best) - 16}
            y={MARGIN.top}
            width={32}
            height={floor - MARGIN.top}
            rx={6}
            className="fill-success-bg"
          />
        )}
        {series.map((each, at) => (
          <Series key={each.key} marks={marksOf(each, at)} at={at} />
        ))}
        {labels.map((label, index) => (
          <rect
            key={`${label}-${index}`}
            x={place(index) - x.step() / 2}
            width={Math.max(x.step(), 1)}
            y={MARGIN.top}
            height={floor - MARGIN.top}
            className="fill-transparent"
            onPointerEnter={() => setPointed(index)}
          />
        ))}
      </svg>
      {pointed === null ? null : (
        <ChartTip x={place(pointed)} width={width}>
          {tip(pointed)}
        </ChartTip>
      )}
    </>
  );
}
