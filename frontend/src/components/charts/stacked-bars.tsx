import { scaleBand, scaleLinear } from "@visx/scale";
import { useState, type ReactNode } from "react";
import { cn } from "@/lib/cn";
import { Axes, ChartTip, everyNth, MARGIN } from "./axes";
import type { SeriesColour } from "./series-colours";

export interface StackedBar {
  label: string;
  /** One amount per series, stacked from the bottom. */
  parts: readonly number[];
}

export interface StackedBarsProps {
  width: number;
  height: number;
  bars: readonly StackedBar[];
  colours: readonly SeriesColour[];
  formatAmount: (amount: number) => string;
  tip: (index: number) => ReactNode;
}

/** A chart of one or two bars should still look like bars. */
const WIDEST_PX = 64;

const total = (bar: StackedBar) => bar.parts.reduce((sum, part) => sum + part, 0);

export function StackedBars(props: StackedBarsProps) {
  const { width, height, bars, colours, formatAmount, tip } = props;
  const [pointed, setPointed] = useState<number | null>(null);
  const floor = height - MARGIN.bottom;
  const x = scaleBand({
    domain: bars.map((_, index) => index),
    range: [MARGIN.left, width - MARGIN.right],
    padding: 0.25,
  });
  const y = scaleLinear({
    domain: [0, Math.max(...bars.map(total)) || 1],
    range: [floor, MARGIN.top],
    nice: 4,
  });
  const barWidth = Math.min(x.bandwidth(), WIDEST_PX);
  const middle = (index: number) => (x(index) ?? 0) + x.bandwidth() / 2;
  const step = everyNth(bars.length, width - MARGIN.left, 56);
  return (
    <>
      <svg width={width} height={height} onPointerLeave={() => setPointed(null)}>
        <Axes
          width={width}
          height={height}
          xTicks={bars.flatMap(({ label }, index) =>
            (bars.length - 1 - index) % step === 0 ? [{ at: middle(index), label }] : [],
          )}
          yTicks={y.ticks(4).map((value) => ({ at: y(value), label: formatAmount(value) }))}
        />
        {bars.map((bar, index) => {
          let below = 0;
          return (
            <g key={index} className={cn(pointed !== null && pointed !== index && "opacity-50")}>
              {bar.parts.map((part, series) => {
                const bottom = y(below);
                below += part;
                return part > 0 ? (
                  <rect
                    key={series}
                    x={middle(index) - barWidth / 2}
                    width={barWidth}
                    y={y(below)}
                    height={Math.max(1, bottom - y(below))}
                    className={cn(colours[series]?.fill, "stroke-raised")}
                  />
                ) : null;
              })}
              <rect
                x={middle(index) - x.step() / 2}
                width={x.step()}
                y={MARGIN.top}
                height={floor - MARGIN.top}
                className="fill-transparent"
                onPointerEnter={() => setPointed(index)}
              />
            </g>
          );
        })}
      </svg>
      {pointed === null ? null : (
        <ChartTip x={middle(pointed)} width={width}>
          {tip(pointed)}
        </ChartTip>
      )}
    </>
  );
}
