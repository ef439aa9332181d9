import { Check, Circle, CircleDot, CirclePause, X, type LucideIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { cn } from "@/lib/cn";

export type PhaseStatus = "done" | "current" | "paused" | "stopped" | "waiting";

export interface TimelinePhase {
  key: string;
  label: string;
  status: PhaseStatus;
  /** Duration or progress. */
  detail?: string | undefined;
}

const ICONS: Record<PhaseStatus, LucideIcon> = {
  done: Check,
  current: CircleDot,
  paused: CirclePause,
  stopped: X,
  waiting: Circle,
};

const LOOKS: Record<PhaseStatus, string> = {
  done: "border-accent-solid bg-accent-solid text-on-accent",
  current: "border-accent-solid bg-accent-bg text-on-accent-bg",
  paused: "border-warning bg-warning-bg text-warning",
  stopped: "border-danger bg-danger-bg text-danger",
  waiting: "border-border-strong bg-raised text-ink-decor",
};

/** Phases of a job, from left to right. */
export function PhaseTimeline({
  label,
  phases,
}: {
  label: string;
  phases: readonly TimelinePhase[];
}) {
  const { t } = useTranslation();
  return (
    <ol aria-label={label} className="flex max-sm:flex-wrap max-sm:gap-y-3">
      {phases.map(({ key, label: name, status, detail }, index) => {
        const Icon = ICONS[status];
        return (
          <li
            key={key}
            aria-current={status === "current" || status === "paused" ? "step" : undefined}
            className="relative flex min-w-0 flex-1 flex-col items-center gap-2 px-1 text-center max-sm:min-w-20"
          >
            {index === 0 ? null : (
              <span
                aria-hidden
                className={cn(
                  "absolute top-3 right-1/2 left-[-50%] h-0.5 max-sm:hidden",
                  status === "waiting" ? "bg-border" : "bg-accent-solid",
                )}
              />
            )}
            <span
              className={cn(
                "relative flex size-6 items-center justify-center rounded-full border-2",
                LOOKS[status],
              )}
            >
              <Icon aria-hidden className="size-3.5" />
            </span>
            <span className="grid min-w-0 gap-0.5">
              <span
                className={cn(
                  "text-xs font-medium",
                  status === "waiting" ? "text-ink-muted" : "text-ink",
                )}
              >
                {name}
                {/* Answers are judged, for example, before the last one has arrived. */}
                {status === "waiting" && detail !== undefined ? null : (
                  <span className="sr-only">: {t(`timeline.${status}`)}</span>
                )}
              </span>
              <span className="text-xs text-ink-muted tabular-nums">{detail ?? " "}</span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}
