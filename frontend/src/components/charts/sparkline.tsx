import { formatScore } from "@/components/score-scale";
import { cn } from "@/lib/cn";

export interface SparklineProps {
  /** From 0 to 1, oldest first. */
  values: readonly number[];
  /** Accessible description; the numbers themselves are in the monitor's trend. */
  label: string;
  className?: string;
}

const WIDTH = 96;
const HEIGHT = 28;
const MARGIN = 3;

/** Scores over time on the whole scale, without axes. */
export function Sparkline({ values, label, className }: SparklineProps) {
  const step = values.length > 1 ? (WIDTH - 2 * MARGIN) / (values.length - 1) : 0;
  const points = values.map((value, at) => ({
    x: MARGIN + at * step,
    y: MARGIN + (1 - Math.max(0, Math.min(1, value))) * (HEIGHT - 2 * MARGIN),
  }));
  const last = points.at(-1);
  return (
    <svg
      role="img"
      aria-label={`${label}: ${values.map(formatScore).join(", ")}`}
      viewBox={`0 0 ${String(WIDTH)} ${String(HEIGHT)}`}
      className={cn("h-7 w-24 shrink-0 overflow-visible", className)}
    >
      <polyline
        points={points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ")}
        fill="none"
        strokeWidth={1.5}
        strokeLinejoin="round"
        className="stroke-chart-1"
      />
      {last === undefined ? null : (
        <circle cx={last.x} cy={last.y} r={2.5} className="fill-chart-1" />
      )}
    </svg>
  );
}
