import { useTranslation } from "react-i18next";
import type { RunVariant, VariantResults } from "@/api/types";
import { GradeBadge } from "@/components/grade-badge";
import { formatScore } from "@/components/score-badge";
import { formatCost, formatSeconds, formatTokens } from "@/lib/format";
import type { Metric } from "../session";

interface Interval {
  low: number;
  high: number;
}

/** "0.61 to 0.83": where the true mean is in 95 of 100 such runs. */
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

const dollars = (value: number) => formatCost(String(value));

export interface ColumnSummaryProps {
  metric: Metric;
  /** As the run counts it while it goes on. */
  variant: RunVariant;
  /** With intervals; undefined until they are there. */
  results: VariantResults | undefined;
}

function Grade({ results }: { results: VariantResults | undefined }) {
  const { t } = useTranslation();
  const composite = results?.composite;
  if (composite?.value == null) {
    return t("playground.grid.noGrade");
  }
  return (
    <>
      <GradeBadge value={composite.value} label={t("playground.grid.mean")} />
      {composite.interval === null ? null : (
        <Range interval={composite.interval} format={formatScore} />
      )}
    </>
  );
}

function Figure({ metric, variant }: ColumnSummaryProps & { metric: Exclude<Metric, "grade"> }) {
  const { t } = useTranslation();
  const { done_count: count, summary } = variant;
  const latency = summary?.latency_p50_seconds ?? null;
  if (count === 0 || (metric === "latency" && latency === null)) {
    return t("playground.grid.nothing");
  }
  const texts = {
    tokens: () =>
      t("runs.cell.tokens", {
        input: formatTokens(variant.input_tokens / count),
        output: formatTokens(variant.output_tokens / count),
      }),
    cost: () => dollars(Number(variant.cost_usd) / count),
    latency: () => formatSeconds(latency ?? 0),
  };
  return <span className="text-sm text-ink tabular-nums">{texts[metric]()}</span>;
}

/** What a column does on average, in the figure that cells show. */
export function ColumnSummary(props: ColumnSummaryProps) {
  const { metric, results } = props;
  return (
    <span className="flex items-center gap-2">
      {metric === "grade" ? <Grade results={results} /> : <Figure {...props} metric={metric} />}
    </span>
  );
}
