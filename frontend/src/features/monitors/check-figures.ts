import type { CheckState, CheckVerdict, MonitorCheck } from "@/api/types";
import type { BadgeTone } from "@/components/ui/badge";
import { changeOutOfTen } from "@/components/score-scale";
import { formatPercent } from "@/lib/format";

const IN_PROGRESS: readonly CheckState[] = ["due", "running", "measuring", "confirming"];

export function isInProgress(state: CheckState): boolean {
  return IN_PROGRESS.includes(state);
}

export const STATE_TONES: Record<CheckState, BadgeTone> = {
  due: "info",
  running: "info",
  measuring: "info",
  confirming: "warning",
  done: "neutral",
  skipped: "outline",
  failed: "danger",
  cancelled: "outline",
};

export const VERDICT_TONES: Record<CheckVerdict, BadgeTone> = {
  good: "success",
  lower: "danger",
  unconfirmed: "warning",
  not_comparable: "outline",
  unscored: "outline",
};

export interface BaselineChange {
  /** Of the mean score, on the scale 0 to 1. */
  absolute: number;
  /** 0.1 is 10 % above the baseline; null for a baseline of 0. */
  relative: number | null;
}

/** Difference of a check's score from the baseline it was compared with; null without both. */
export function changeOf({ score, measures }: MonitorCheck): BaselineChange | null {
  const baseline = measures?.baseline_score ?? null;
  if (score === null || baseline === null) {
    return null;
  }
  const absolute = score - baseline;
  return { absolute, relative: baseline === 0 ? null : absolute / baseline };
}

/** "−1.2 (−13%)". */
export function formatChange({ absolute, relative }: BaselineChange): string {
  const change = changeOutOfTen(absolute);
  if (relative === null || change === "±0.0") {
    return change;
  }
  const sign = relative > 0 ? "+" : "−";
  return `${change} (${sign}${formatPercent(Math.abs(relative))})`;
}

export interface CaseChanges {
  regressed: number;
  improved: number;
}

/** Cases that changed against the baseline, over all models; null when nothing was compared. */
export function caseChangesOf({ measures }: MonitorCheck): CaseChanges | null {
  const drops = (measures?.models ?? []).flatMap(({ drop }) => (drop == null ? [] : [drop]));
  return drops.length === 0
    ? null
    : {
        regressed: drops.reduce((sum, { regressed }) => sum + regressed, 0),
        improved: drops.reduce((sum, { improved }) => sum + improved, 0),
      };
}
