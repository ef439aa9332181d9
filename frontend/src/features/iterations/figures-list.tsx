import { useTranslation } from "react-i18next";
import type { Iteration } from "@/api/types";
import { Progress, type ProgressProps } from "@/components/ui/progress";
import { formatTokens, formatCost, formatDuration, formatPercent, formatUsd } from "@/lib/format";
import { isOver, isWorking } from "./phases";

/** Share from which a limit counts as near. */
const NEAR_LIMIT = 0.8;

function toneOf(share: number): NonNullable<ProgressProps["tone"]> {
  if (share >= 1) {
    return "danger";
  }
  return share >= NEAR_LIMIT ? "warning" : "accent";
}

interface LimitProps {
  label: string;
  value: string;
  /** Used share of the limit, from 0; may exceed 1. */
  share: number | null;
  words: string;
}

/** Use of a limited resource, as a bar and as text. */
function Limit({ label, value, share, words }: LimitProps) {
  return (
    <div className="grid content-start gap-1">
      <dt className="text-xs text-ink-muted">{label}</dt>
      <dd className="text-lg font-semibold tracking-tight tabular-nums">{value}</dd>
      {share === null ? null : (
        <dd aria-hidden>
          <Progress label={label} value={Math.min(100, share * 100)} tone={toneOf(share)} />
        </dd>
      )}
      <dd className="text-xs text-ink-muted tabular-nums">{words}</dd>
    </div>
  );
}

function Money({ iteration }: { iteration: Iteration }) {
  const { t } = useTranslation();
  const { spent_usd, budget_usd, cost } = iteration;
  const share = Number(budget_usd) === 0 ? 0 : Number(spent_usd) / Number(budget_usd);
  return (
    <Limit
      label={t("iterations.figures.cost")}
      value={formatCost(cost.total_usd)}
      share={share}
      words={t("iterations.figures.budget", {
        spent: formatCost(spent_usd),
        limit: formatUsd(budget_usd),
        share: formatPercent(share),
      })}
    />
  );
}

function Tokens({ iteration: { tokens, max_tokens } }: { iteration: Iteration }) {
  const { t } = useTranslation();
  const share = max_tokens === null ? null : tokens / max_tokens;
  return (
    <Limit
      label={t("iterations.figures.tokens")}
      value={formatTokens(tokens)}
      share={share}
      words={
        share === null || max_tokens === null
          ? t("iterations.figures.noTokenLimit")
          : t("iterations.figures.tokenLimit", {
              limit: formatTokens(max_tokens),
              share: formatPercent(share),
            })
      }
    />
  );
}

function Times({ iteration }: { iteration: Iteration }) {
  const { t } = useTranslation();
  const { progress, state } = iteration;
  const remaining = isWorking(state) ? (progress?.remaining_seconds ?? null) : null;
  return (
    <>
      <Limit
        label={t("iterations.figures.elapsed")}
        value={
          progress == null
            ? t("iterations.figures.unknown")
            : formatDuration(progress.elapsed_seconds)
        }
        share={null}
        words={t("iterations.figures.elapsedNote")}
      />
      <Limit
        label={t("iterations.figures.remaining")}
        value={
          remaining === null
            ? t(isOver(state) ? "iterations.figures.over" : "iterations.figures.unknown")
            : t("iterations.figures.about", { time: formatDuration(remaining) })
        }
        share={null}
        words={
          remaining === null
            ? t(`iterations.figures.waiting.${state}`)
            : t("iterations.figures.remainingNote")
        }
      />
    </>
  );
}

/** Cost, tokens and duration of the iteration, compared with its limits. */
export function Figures({ iteration }: { iteration: Iteration }) {
  return (
    <dl className="grid grid-cols-2 content-start gap-x-6 gap-y-4">
      <Money iteration={iteration} />
      <Tokens iteration={iteration} />
      <Times iteration={iteration} />
    </dl>
  );
}
