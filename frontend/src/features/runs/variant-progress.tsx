import { CircleX, Hourglass } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { RunVariant } from "@/api/types";
import { ScoreBadge } from "@/components/score-badge";
import { cn } from "@/lib/cn";
import { formatNumber, formatPercent, formatSeconds } from "@/lib/format";
import { formatSpent } from "@/lib/spent";

function Bar({ variant, label }: { variant: RunVariant; label: string }) {
  const { done_count, error_count, malformed_count, cell_count } = variant;
  const good = done_count - error_count - malformed_count;
  const parts = [
    { count: good, color: "bg-accent-solid" },
    { count: malformed_count, color: "bg-warning" },
    { count: error_count, color: "bg-danger-solid" },
  ];
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={cell_count}
      aria-valuenow={done_count}
      className="flex h-2 overflow-hidden rounded-full bg-surface-hover"
    >
      {parts.map(({ count, color }) => (
        <span
          key={color}
          className={cn("transition-[width] duration-250 ease-out", color)}
          style={{ width: `${cell_count === 0 ? 0 : (100 * count) / cell_count}%` }}
        />
      ))}
    </div>
  );
}

/** Counts as text, for users who cannot distinguish the bar's colours. */
function Counts({ variant }: { variant: RunVariant }) {
  const { t } = useTranslation();
  const { done_count, error_count, malformed_count, cached_count, cell_count } = variant;
  const done = { done: formatNumber(done_count), total: formatNumber(cell_count) };
  return (
    <p className="text-xs text-ink-muted tabular-nums">
      {t("runs.cellsOf", done)}
      {error_count > 0 ? (
        <span className="text-danger"> · {t("runs.tally.failed", { count: error_count })}</span>
      ) : null}
      {malformed_count > 0 ? (
        <span className="text-warning">
          {" · "}
          {t("runs.tally.malformed", { count: malformed_count })}
        </span>
      ) : null}
      {cached_count > 0 ? ` · ${t("runs.tally.cached", { count: cached_count })}` : null}
      {` · ${formatSpent(variant.cost_usd, variant.unpriced_count)}`}
    </p>
  );
}

function Outcome({ variant }: { variant: RunVariant }) {
  const { t } = useTranslation();
  const { summary } = variant;
  if (summary === null) {
    return null;
  }
  const facts = [
    summary.pass_rate === null
      ? null
      : t("runs.passRate", { share: formatPercent(summary.pass_rate) }),
    summary.latency_p50_seconds === null || summary.latency_p95_seconds === null
      ? null
      : t("runs.latency", {
          middle: formatSeconds(summary.latency_p50_seconds),
          slow: formatSeconds(summary.latency_p95_seconds),
        }),
  ].filter((fact) => fact !== null);
  return (
    <span className="flex flex-wrap items-center justify-end gap-2 text-xs text-ink-muted tabular-nums">
      {facts.join(" · ")}
      {summary.score === null ? null : (
        <ScoreBadge label={t("runs.score")} value={summary.score} passed={null} />
      )}
    </span>
  );
}

/** Progress of one variant, and why it is stopped. */
export function VariantProgress({ variant }: { variant: RunVariant }) {
  const { t } = useTranslation();
  const { halted, waiting } = variant;
  return (
    <li className="grid gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <span className="min-w-0 text-sm font-medium wrap-anywhere">{variant.label}</span>
        <Outcome variant={variant} />
      </div>
      <Bar variant={variant} label={t("runs.progressOf", { name: variant.label })} />
      <Counts variant={variant} />
      {halted === null ? null : (
        <p className="flex items-start gap-1.5 text-xs text-danger">
          <CircleX aria-hidden className="mt-px size-3.5 shrink-0" />
          {halted.message}
        </p>
      )}
      {waiting === null ? null : (
        <p className="flex items-start gap-1.5 text-xs text-warning">
          <Hourglass aria-hidden className="mt-px size-3.5 shrink-0" />
          {waiting.sentence}
        </p>
      )}
    </li>
  );
}
