import type { ReactNode } from "react";

export const MARGIN = { top: 10, right: 20, bottom: 24, left: 56 } as const;

export interface Tick {
  /** Position in pixels of the drawing. */
  at: number;
  label: string;
}

export interface AxesProps {
  width: number;
  height: number;
  xTicks: readonly Tick[];
  yTicks: readonly Tick[];
}

/** Grid lines and axis labels. */
export function Axes({ width, height, xTicks, yTicks }: AxesProps) {
  const floor = height - MARGIN.bottom;
  return (
    <g className="text-[11px]">
      {yTicks.map((tick) => (
        <g key={tick.label}>
          <line
            x1={MARGIN.left}
            x2={width - MARGIN.right}
            y1={tick.at}
            y2={tick.at}
            className="stroke-border"
          />
          <text
            x={MARGIN.left - 8}
            y={tick.at}
            dy="0.32em"
            textAnchor="end"
            className="fill-ink-muted tabular-nums"
          >
            {tick.label}
          </text>
        </g>
      ))}
      {xTicks.map((tick) => (
        <text
          key={`${tick.label}-${tick.at}`}
          x={tick.at}
          y={floor + 16}
          textAnchor="middle"
          className="fill-ink-muted"
        >
          {tick.label}
        </text>
      ))}
    </g>
  );
}

/** Label step that keeps labels of the given width from touching. */
export function everyNth(count: number, space: number, wordWidth: number): number {
  return Math.max(1, Math.ceil(count / Math.max(1, Math.floor(space / wordWidth))));
}

export interface ChartTipProps {
  /** Anchor position, in pixels of the drawing. */
  x: number;
  width: number;
  children: ReactNode;
}

/** Tooltip beside the pointer, on the side with more room. */
export function ChartTip({ x, width, children }: ChartTipProps) {
  const onTheLeft = x > width / 2;
  return (
    <div
      className="pointer-events-none absolute top-2 z-10 grid max-w-64 gap-1 rounded-md border border-border-strong bg-raised px-3 py-2 text-xs shadow-md"
      style={onTheLeft ? { right: width - x + 10 } : { left: x + 10 }}
    >
      {children}
    </div>
  );
}
