import { scaleLinear, scaleUtc } from "@visx/scale";
import { AreaClosed, LinePath } from "@visx/shape";
import { useState, type PointerEvent, type ReactNode } from "react";
import { cn } from "@/lib/cn";
import { Axes, ChartTip, MARGIN } from "./axes";

export interface LinePoint {
  /** Milliseconds since 1970. */
  at: number;
  value: number;
}

export interface LineMark {
  value: number;
  label: string;
  tone: "danger" | "warning";
}

export interface LineChartProps {
  width: number;
  height: number;
  line: readonly LinePoint[];
  /** Continues from the end of the line. */
  projection: readonly LinePoint[];
  /** Horizontal reference lines. */
  marks: readonly LineMark[];
  formatTime: (at: number) => string;
  formatAmount: (amount: number) => string;
  tip: (point: LinePoint) => ReactNode;
}

const STROKES = { danger: "stroke-danger", warning: "stroke-warning" } as const;
const WORDS = { danger: "fill-danger", warning: "fill-warning" } as const;

function nearest(points: readonly LinePoint[], at: number): LinePoint | undefined {
  return points.reduce<LinePoint | undefined>(
    (best, point) =>
      best === undefined || Math.abs(point.at - at) < Math.abs(best.at - at) ? point : best,
    undefined,
  );
}

export function LineChart(props: LineChartProps) {
  const { width, height, line, projection, marks, formatTime, formatAmount, tip } = props;
  const [pointed, setPointed] = useState<LinePoint | null>(null);
  const points = [...line, ...projection.slice(1)];
  const times = points.map((point) => point.at);
  const x = scaleUtc({
    domain: [Math.min(...times), Math.max(...times)],
    range: [MARGIN.left, width - MARGIN.right],
  });
  const y = scaleLinear({
    domain: [
      0,
      Math.max(...points.map(({ value }) => value), ...marks.map(({ value }) => value)) || 1,
    ],
    range: [height - MARGIN.bottom, MARGIN.top + 8],
    nice: 4,
  });
  const place = { x: (point: LinePoint) => x(point.at), y: (point: LinePoint) => y(point.value) };
  const onPointerMove = (event: PointerEvent<SVGSVGElement>) => {
    const left = event.currentTarget.getBoundingClientRect().left;
    setPointed(nearest(points, x.invert(event.clientX - left).getTime()) ?? null);
  };
  return (
    <>
      <svg
        width={width}
        height={height}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setPointed(null)}
      >
        <Axes
          width={width}
          height={height}
          xTicks={x
            .ticks(Math.max(2, Math.floor(width / 80)))
            .map((tick) => ({ at: x(tick), label: formatTime(tick.getTime()) }))}
          yTicks={y.ticks(4).map((value) => ({ at: y(value), label: formatAmount(value) }))}
        />
        <AreaClosed data={[...line]} {...place} yScale={y} className="fill-chart-1/12" />
        {marks.map((mark) => (
          <g key={mark.label}>
            <line
              x1={MARGIN.left}
              x2={width - MARGIN.right}
              y1={y(mark.value)}
              y2={y(mark.value)}
              strokeDasharray={mark.tone === "danger" ? undefined : "2 3"}
              className={cn(STROKES[mark.tone], "stroke-[1.5]")}
            />
            <text
              x={MARGIN.left + 4}
              y={y(mark.value) - 4}
              className={cn(WORDS[mark.tone], "text-[11px] font-medium")}
            >
              {mark.label}
            </text>
          </g>
        ))}
        <LinePath data={[...line]} {...place} className="fill-none stroke-chart-1 stroke-2" />
        <LinePath
          data={[...projection]}
          {...place}
          strokeDasharray="5 4"
          className="fill-none stroke-chart-1 stroke-2"
        />
        {pointed === null ? null : (
          <circle
            cx={x(pointed.at)}
            cy={y(pointed.value)}
            r={4}
            className="fill-chart-1 stroke-raised stroke-2"
          />
        )}
      </svg>
      {pointed === null ? null : (
        <ChartTip x={x(pointed.at)} width={width}>
          {tip(pointed)}
        </ChartTip>
      )}
    </>
  );
}
