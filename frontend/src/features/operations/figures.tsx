import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Operations } from "@/api/types";
import { cn } from "@/lib/cn";
import { formatDuration, formatNumber } from "@/lib/format";

interface FigureProps {
  label: string;
  value: number;
  hint: ReactNode;
  tone?: "danger" | "warning" | undefined;
}

function Figure({ label, value, hint, tone }: FigureProps) {
  return (
    <div className="grid content-start gap-1 rounded-xl border border-border bg-raised p-5">
      <dt className="text-xs font-medium text-ink-muted">{label}</dt>
      <dd className="grid gap-1">
        <span
          className={cn(
            "text-2xl font-semibold tracking-tight tabular-nums",
            tone === "danger" && "text-danger",
            tone === "warning" && "text-warning",
          )}
        >
          {formatNumber(value)}
        </span>
        <span className="text-xs text-pretty text-ink-muted">{hint}</span>
      </dd>
    </div>
  );
}

/** Number of live worker processes. */
export const liveWorkerCount = ({ processes }: Operations): number =>
  processes.filter((process) => process.does_jobs && !process.is_silent).length;

export function Figures({ operations }: { operations: Operations }) {
  const { t } = useTranslation();
  const { queue, mode, dead_job_count: dead } = operations;
  const working = liveWorkerCount(operations);
  const since = queue.oldest_waiting_seconds;
  return (
    <dl
      aria-label={t("operations.figures.label")}
      className="grid grid-cols-2 gap-4 lg:grid-cols-4"
    >
      <Figure
        label={t("operations.figures.waiting")}
        value={queue.waiting}
        hint={
          since === null
            ? t("operations.figures.nothingWaits")
            : t("operations.figures.waitingSince", { time: formatDuration(Math.round(since)) })
        }
      />
      <Figure
        label={t("operations.figures.running")}
        value={queue.running}
        hint={t("operations.figures.runningHint")}
      />
      <Figure
        label={t("operations.figures.processes")}
        value={working}
        tone={working === 0 ? "warning" : undefined}
        hint={
          mode === "embedded"
            ? t("operations.figures.processesEmbedded")
            : t("operations.figures.processesDistributed", { count: working })
        }
      />
      <Figure
        label={t("operations.figures.dead")}
        value={dead}
        tone={dead > 0 ? "danger" : undefined}
        hint={dead > 0 ? t("operations.figures.deadHint") : t("operations.figures.deadNone")}
      />
    </dl>
  );
}
