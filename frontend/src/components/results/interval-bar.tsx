import { useTranslation } from "react-i18next";
import type { MeanEstimate } from "@/api/types";
import { formatScore, outOfTen } from "@/components/score-scale";
import { cn } from "@/lib/cn";

/** Mean with its interval on a line from 0 to 10, with the numbers beside it. */
export function IntervalBar({ mean, best = false }: { mean: MeanEstimate; best?: boolean }) {
  const { t } = useTranslation();
  if (mean.value === null) {
    return <span className="text-ink-muted">{t("results.noScore")}</span>;
  }
  const { value, interval } = mean;
  const words =
    interval === null
      ? t("results.noInterval")
      : t("results.interval", { low: outOfTen(interval.low), high: outOfTen(interval.high) });
  return (
    <div className="flex items-center gap-3 max-lg:justify-end">
      <span className={cn("w-12 text-right tabular-nums", best && "font-semibold")}>
        {formatScore(value)}
      </span>
      <svg
        role="img"
        aria-label={words}
        viewBox="0 0 100 16"
        preserveAspectRatio="none"
        className="h-4 w-28 shrink-0"
      >
        <title>{words}</title>
        <line x1={0} x2={100} y1={8} y2={8} className="stroke-border-strong" />
        {interval === null ? null : (
          <g className="stroke-chart-1 stroke-2 [&>*]:[vector-effect:non-scaling-stroke]">
            <line x1={interval.low * 100} x2={interval.high * 100} y1={8} y2={8} />
            <line x1={interval.low * 100} x2={interval.low * 100} y1={4} y2={12} />
            <line x1={interval.high * 100} x2={interval.high * 100} y1={4} y2={12} />
          </g>
        )}
        <ellipse cx={value * 100} cy={8} rx={3} ry={3.4} className="fill-chart-1" />
      </svg>
    </div>
  );
}
