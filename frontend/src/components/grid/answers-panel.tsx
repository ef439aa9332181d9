import { useMemo, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { Cell, RunDetail, RunVariant } from "@/api/types";
import { NoMatch } from "@/components/listing/no-match";
import { ProblemState } from "@/components/problem-state";
import { formatScore } from "@/components/score-scale";
import { SearchBox } from "@/components/search-box";
import { Segmented } from "@/components/ui/segmented";
import { Select } from "@/components/ui/select";
import { formatTokens, formatSeconds } from "@/lib/format";
import { formatSpent, meanCost } from "@/lib/spent";
import { ROW_STATUSES, type AnswersView } from "./answers-view";
import { missingReason, METRICS, waitsOf, type Metric, type ResultColumn } from "./columns";
import { ResultsGrid } from "./results-grid";
import type { RowPages } from "./row-pages";
import type { RowStore } from "./row-store";

const ALL = "all";

/** Mean of a column, null while unknown. */
function useMean(variant: RunVariant, metric: Metric): string | null {
  const { t } = useTranslation();
  const { done_count, summary } = variant;
  if (done_count === 0) {
    return null;
  }
  const score = summary?.score ?? null;
  const latency = summary?.latency_p50_seconds ?? null;
  const cost = meanCost(variant.cost_usd, done_count, variant.unpriced_count);
  const texts: Record<Metric, string | null> = {
    score: score === null ? null : formatScore(score),
    tokens: t("runs.cell.tokens", {
      input: formatTokens(variant.input_tokens / done_count),
      output: formatTokens(variant.output_tokens / done_count),
    }),
    cost: formatSpent(cost === null ? null : String(cost)),
    time: latency === null ? null : formatSeconds(latency),
  };
  const text = texts[metric];
  return text === null ? null : t(`runs.grid.mean.${metric}`, { value: text });
}

interface ColumnHeaderProps {
  variant: RunVariant;
  repeat: number | null;
  metric: Metric;
}

function ColumnHeader({ variant, repeat, metric }: ColumnHeaderProps) {
  const { t } = useTranslation();
  const facts = [
    repeat === null ? null : t("runs.grid.repeat", { number: repeat + 1 }),
    useMean(variant, metric),
  ];
  return (
    <>
      <span className="line-clamp-2 wrap-anywhere text-ink" title={variant.label}>
        {variant.label}
      </span>
      <span className="truncate font-normal tabular-nums">{facts.filter(Boolean).join(" · ")}</span>
    </>
  );
}

function useColumns(run: RunDetail, metric: Metric): ResultColumn[] {
  return useMemo(
    () =>
      run.variants.flatMap((variant) =>
        Array.from({ length: run.repeats }, (_, repeat) => ({
          key: `${variant.position}.${repeat}`,
          variant: variant.position,
          repeat,
          label: variant.label,
          header: (
            <ColumnHeader
              variant={variant}
              repeat={run.repeats > 1 ? repeat : null}
              metric={metric}
            />
          ),
        })),
      ),
    [run.variants, run.repeats, metric],
  );
}

interface ToolbarProps {
  view: AnswersView;
  onViewChanged: (view: AnswersView) => void;
  metric: Metric;
}

function Toolbar({ view, onViewChanged, metric }: ToolbarProps) {
  const { t } = useTranslation();
  return (
    <div
      role="search"
      aria-label={t("runs.grid.filters")}
      className="flex flex-wrap items-center gap-3"
    >
      <div className="min-w-48 flex-1">
        <SearchBox
          label={t("runs.grid.search")}
          value={view.q}
          delay={300}
          onValueChanged={(q) => onViewChanged({ ...view, q })}
        />
      </div>
      <Select
        className="w-44"
        aria-label={t("runs.grid.status")}
        value={view.status ?? ALL}
        options={[
          { value: ALL, label: t("runs.grid.anyStatus") },
          ...ROW_STATUSES.map((status) => ({
            value: status,
            label: t(`runs.grid.statuses.${status}`),
          })),
        ]}
        onValueChanged={(status) =>
          onViewChanged({ ...view, status: status === ALL ? undefined : status })
        }
      />
      <Segmented
        label={t("runs.grid.metric")}
        value={metric}
        options={METRICS.map((value) => ({ value, label: t(`runs.grid.metrics.${value}`) }))}
        onValueChanged={(next) => onViewChanged({ ...view, metric: next })}
      />
    </div>
  );
}

export interface AnswersPanelProps {
  run: RunDetail;
  store: RowStore;
  pages: RowPages;
  view: AnswersView;
  onViewChanged: (view: AnswersView) => void;
}

/** Grid of a run's answers with search and filters. */
export function AnswersPanel({ run, store, pages, view, onViewChanged }: AnswersPanelProps) {
  const { t } = useTranslation();
  const metric = view.metric ?? (run.scorers.length === 0 ? "tokens" : "score");
  const columns = useColumns(run, metric);
  const { total, error } = useSyncExternalStore(pages.subscribe, pages.getState);
  return (
    <section aria-labelledby="run-results" className="grid grid-cols-1 gap-3">
      <h2 id="run-results" className="text-base font-semibold">
        {t("runs.grid.title")}
      </h2>
      <Toolbar view={view} onViewChanged={onViewChanged} metric={metric} />
      {error === null ? null : <ProblemState error={error} onRetry={pages.refresh} />}
      {total === 0 ? (
        <NoMatch
          onFiltersCleared={() => onViewChanged({ ...view, q: undefined, status: undefined })}
        />
      ) : null}
      <div hidden={total === 0}>
        <ResultsGrid
          label={t("runs.grid.label", { name: run.name })}
          columns={columns}
          pages={pages}
          store={store}
          missing={missingReason(run.state)}
          waits={waitsOf(run)}
          metric={metric}
          onCellOpened={(cell: Cell) => onViewChanged({ ...view, output: cell.id })}
        />
      </div>
    </section>
  );
}
