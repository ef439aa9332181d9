import type { TFunction } from "i18next";
import type { Cell } from "@/api/types";
import { GradeBadge } from "@/components/grade-badge";
import { ThumbToggle } from "@/components/human-score/thumb-toggle";
import { ScoreBadge } from "@/components/score-badge";
import { formatScore } from "@/components/score-scale";
import { Badge } from "@/components/ui/badge";
import { formatCost, formatSeconds, formatTokens } from "@/lib/format";
import { isScorable, type CellTools } from "./cell-tools";
import type { Metric } from "./columns";
import { cellPassed } from "./rows";

export interface CellBadgeProps {
  cell: Cell;
  metric: Metric;
  tools: CellTools | null;
  isExplained: boolean;
  t: TFunction;
}

/** 0 or 1 for unanimous thumbs; averages of several scores have no thumb. */
export function thumbOf(cell: Cell): 0 | 1 | null {
  return cell.human_value === 1 || cell.human_value === 0 ? cell.human_value : null;
}

function Grade({ cell, tools, isExplained, t }: CellBadgeProps) {
  const value = cell.grade?.value ?? null;
  if (tools?.renderReasons != null) {
    return value === null ? null : (
      // Not in the tab order: the grid handles clicks, and a key does the same.
      <button
        type="button"
        tabIndex={-1}
        aria-pressed={isExplained}
        aria-label={t("cell.reasons", { value: formatScore(value) })}
        className="flex rounded-full"
        data-reasons
      >
        <GradeBadge value={value} label="" />
      </button>
    );
  }
  if (tools?.onThumbed != null) {
    const { onThumbed } = tools;
    return isScorable(cell) ? (
      <span className="flex items-center gap-1.5">
        {cell.grade?.by === "rule" ? (
          <GradeBadge value={cell.grade.value} label={t("cell.byRule")} />
        ) : null}
        <ThumbToggle
          tabIndex={-1}
          t={t}
          answer={thumbOf(cell)}
          onAnswered={(answer) => onThumbed(cell, answer)}
        />
      </span>
    ) : null;
  }
  return cell.scores.length === 0 && cell.human_value === null ? null : (
    <ScoreBadge label={t("runs.cell.score")} value={value} passed={cellPassed(cell)} />
  );
}

interface FigureProps {
  cell: Cell;
  metric: Exclude<Metric, "score">;
  t: TFunction;
}

function Figure({ cell, metric, t }: FigureProps) {
  const { input_tokens, output_tokens, cost_usd, latency_seconds } = cell;
  const figures = {
    tokens: () =>
      input_tokens === null || output_tokens === null
        ? null
        : t("runs.cell.tokens", {
            input: formatTokens(input_tokens),
            output: formatTokens(output_tokens),
          }),
    cost: () => (cost_usd === null ? null : formatCost(cost_usd)),
    time: () => (latency_seconds === null ? null : formatSeconds(latency_seconds)),
  };
  const text = figures[metric]();
  // A failed call has few figures, which is no news.
  return text === null && cell.status === "error" ? null : (
    <Badge className="tabular-nums">{text ?? t("ui.unknown")}</Badge>
  );
}

/** One metric of a cell, such as cost or grade. */
export function CellBadge(props: CellBadgeProps) {
  const { cell, metric } = props;
  return (
    <span data-metric className="ml-auto flex min-h-5 items-center">
      {metric === "score" ? (
        <Grade {...props} />
      ) : (
        <Figure cell={cell} metric={metric} t={props.t} />
      )}
    </span>
  );
}
