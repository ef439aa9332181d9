import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { isWorking } from "@/api/runs";
import type { RunDetail, RunEstimate } from "@/api/types";
import { ScoreBadge } from "@/components/score-badge";
import { Disclosure } from "@/components/ui/disclosure";
import { Tooltip } from "@/components/ui/tooltip";
import {
  formatTokens,
  formatCost,
  formatDuration,
  formatNumber,
  formatPercent,
} from "@/lib/format";
import { formatSpent } from "@/lib/spent";
import { tightestBudgetQuery } from "./budget";
import { Assumptions, costRange, durationRange } from "@/components/run-estimate/estimate";

function Figure({ label, value, note }: { label: string; value: ReactNode; note?: ReactNode }) {
  return (
    <div className="grid content-start gap-0.5">
      <dt className="text-xs text-ink-muted">{label}</dt>
      <dd className="text-lg font-semibold tracking-tight tabular-nums">{value}</dd>
      {note ? <dd className="text-xs text-ink-muted tabular-nums">{note}</dd> : null}
    </div>
  );
}

function BudgetNote({ slug }: { slug: string }) {
  const { t } = useTranslation();
  const budget = useQuery(tightestBudgetQuery(slug)).data;
  return budget === undefined || budget === null ? null : (
    <span className="block">
      {t("runs.figures.budget", {
        left: formatCost(String(budget.left)),
        limit: formatCost(budget.limit_usd),
      })}
    </span>
  );
}

function UnconfirmedNote({ run }: { run: RunDetail }) {
  const { t } = useTranslation();
  return Number(run.unconfirmed_usd) === 0 ? null : (
    <Tooltip content={t("runs.figures.unconfirmedHint")}>
      <button
        type="button"
        className="block rounded-sm text-left text-warning underline decoration-dotted"
      >
        {t("runs.figures.unconfirmed", { amount: formatCost(run.unconfirmed_usd) })}
      </button>
    </Tooltip>
  );
}

function useEstimateComparison(estimate: RunEstimate | null) {
  const { t } = useTranslation();
  const cost = estimate === null ? null : costRange(estimate);
  const time = estimate === null ? null : durationRange(estimate);
  return {
    cost: cost === null ? null : t("runs.figures.estimated", { range: cost }),
    time: time === null ? null : t("runs.figures.estimated", { range: time }),
  };
}

/** Progress, cost and duration so far, compared with the estimate. */
export function RunFigures({ slug, run }: { slug: string; run: RunDetail }) {
  const { t } = useTranslation();
  const { estimate, compared } = run;
  const against = useEstimateComparison(estimate);
  const working = isWorking(run.state);
  const share = run.cell_count === 0 ? 0 : run.done_count / run.cell_count;
  return (
    <div className="grid content-start gap-5">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4">
        <Figure
          label={t("runs.figures.done")}
          value={formatPercent(Math.floor(share * 1000) / 1000)}
          note={t("runs.cellsOf", {
            done: formatNumber(run.done_count),
            total: formatNumber(run.cell_count),
          })}
        />
        <Figure
          label={t("runs.cost")}
          value={formatSpent(run.cost_usd, run.unpriced_count)}
          note={
            <>
              {against.cost}
              <UnconfirmedNote run={run} />
              {run.unpriced_count > 0 ? (
                <span className="block text-warning">
                  {t("runs.figures.unpriced", { count: run.unpriced_count })}
                </span>
              ) : null}
              <BudgetNote slug={slug} />
            </>
          }
        />
        <Figure
          label={working ? t("runs.figures.remaining") : t("runs.figures.elapsed")}
          value={
            working
              ? run.remaining_seconds === null
                ? t("runs.none")
                : formatDuration(run.remaining_seconds)
              : formatDuration(run.elapsed_seconds)
          }
          note={
            working
              ? t("runs.figures.soFar", { time: formatDuration(run.elapsed_seconds) })
              : against.time
          }
        />
        <Figure
          label={t("runs.figures.tokens")}
          value={formatTokens(run.input_tokens + run.output_tokens)}
          note={t("runs.figures.tokensSplit", {
            input: formatTokens(run.input_tokens),
            output: formatTokens(run.output_tokens),
          })}
        />
        {run.cells_per_second === null ? null : (
          <Figure
            label={t("runs.figures.rate")}
            value={t("runs.figures.perSecond", {
              rate: formatNumber(Math.round(run.cells_per_second * 10) / 10),
            })}
          />
        )}
        {run.score === null ? null : (
          <Figure
            label={t("runs.score")}
            value={<ScoreBadge label={t("runs.score")} value={run.score} passed={null} />}
          />
        )}
      </dl>
      {estimate === null ? null : (
        <Disclosure label={t("runs.estimate.title")}>
          <Assumptions estimate={estimate} compared={compared} />
        </Disclosure>
      )}
    </div>
  );
}
