import { useTranslation } from "react-i18next";
import type { RunVariant, VariantResults } from "@/api/types";
import { GradeBadge } from "@/components/grade-badge";
import { outOfTen } from "@/components/score-scale";
import { formatCost, formatSeconds, formatTokens } from "@/lib/format";
import { meanCost } from "@/lib/spent";
import type { Metric } from "../session";

interface Interval {
  low: number;
  high: number;
}

/** 95% confidence interval of the mean: "6.1 to 8.3". */
function Range({ interval, format }: { interval: Interval; format: (value: number) => string }) {
  const { t } = useTranslation();
  return (
    <span
      className="font-normal text-ink-subtle tabular-nums"
      title={t("playground.grid.interval")}
    >
      {t("playground.grid.range", { low: format(interval.low), high: format(interval.high) })}
    </span>
  );
}

export interface ColumnSummaryProps {
  metric: Metric;
  /** Live totals of the run. */
  variant: RunVariant;
  /** Results with intervals; undefined until loaded. */
  results: VariantResults | undefined;
}

function Grade({ results }: { results: VariantResults | undefined }) {
  const { t } = useTranslation();
  const composite = results?.composite;
  if (composite?.value == null) {
    return t("playground.grid.noScores");
  }
  return (
    <>
      <GradeBadge value={composite.value} label={t("playground.grid.mean")} />
      {composite.interval === null ? null : (
        <Range interval={composite.interval} format={outOfTen} />
      )}
    </>
  );
}

type Figure = Exclude<Metric, "grade">;

/** Live averages: without intervals, but immediate. */
function liveAverages(metric: Figure, variant: RunVariant): readonly number[] | null {
  const { done_count: count, summary } = variant;
  if (count === 0) {
    return null;
  }
  const figures: Record<Figure, readonly (number | null)[]> = {
    tokens: [variant.input_tokens / count, variant.output_tokens / count],
    cost: [meanCost(variant.cost_usd, count, variant.unpriced_count)],
    latency: [summary?.latency_p50_seconds ?? null],
  };
  const known = figures[metric].filter((figure) => figure !== null);
  return known.length === figures[metric].length ? known : null;
}

const AVERAGES = {
  tokens: ["input_tokens", "output_tokens"],
  cost: ["cost_usd"],
  latency: ["latency_seconds"],
} as const satisfies Record<Figure, readonly (keyof VariantResults["averages"])[]>;

const FORMATS: Record<Figure, (value: number) => string> = {
  tokens: formatTokens,
  cost: (value) => formatCost(String(value)),
  latency: formatSeconds,
};

function Average({ metric, variant, results }: ColumnSummaryProps & { metric: Figure }) {
  const { t } = useTranslation();
  const format = FORMATS[metric];
  const averages = AVERAGES[metric].map((name) => results?.averages[name]);
  const values = averages.map((average) => average?.value ?? null);
  const known = values.every((value) => value !== null) ? values : liveAverages(metric, variant);
  if (known === null) {
    return t(variant.done_count === 0 ? "playground.grid.nothing" : "ui.unknown");
  }
  // Two intervals side by side are ambiguous: for tokens, shows that of the answers.
  const interval = averages.at(-1)?.interval ?? null;
  return (
    <>
      <span className="text-sm text-ink tabular-nums">{known.map(format).join(" | ")}</span>
      {interval === null ? null : <Range interval={interval} format={format} />}
    </>
  );
}

/** Column average of the shown metric. */
export function ColumnSummary(props: ColumnSummaryProps) {
  const { metric, results } = props;
  return (
    <span className="flex items-center gap-2">
      {metric === "grade" ? <Grade results={results} /> : <Average {...props} metric={metric} />}
    </span>
  );
}
