import {
  Ban,
  CircleCheck,
  CirclePause,
  CirclePlay,
  CircleX,
  Clock,
  Scale,
  Sigma,
  type LucideIcon,
} from "lucide-react";
import type { Run, RunState } from "@/api/types";
import type { BadgeTone } from "@/components/ui/badge";

export const RUN_STATES = [
  "pending",
  "executing",
  "scoring",
  "aggregating",
  "paused",
  "completed",
  "cancelled",
  "failed",
] as const satisfies readonly RunState[];

/** Origins of a run. */
export const ORIGINS = [
  "questions",
  "api",
  "playground",
  "experiment",
  "arena",
  "monitor",
  "ab_test",
  "optimization",
  "eval",
  "cli",
  "imported",
] as const;

export const LOOKS: Record<RunState, { tone: BadgeTone; Icon: LucideIcon }> = {
  pending: { tone: "neutral", Icon: Clock },
  executing: { tone: "info", Icon: CirclePlay },
  scoring: { tone: "info", Icon: Scale },
  aggregating: { tone: "info", Icon: Sigma },
  paused: { tone: "warning", Icon: CirclePause },
  completed: { tone: "success", Icon: CircleCheck },
  cancelled: { tone: "warning", Icon: Ban },
  failed: { tone: "danger", Icon: CircleX },
};

export type CountedRun = Pick<Run, "state" | "error_count" | "cell_count">;

/** The state to show: a completed run in which most answers failed is no success. */
export function shownState({ state, error_count: failed, cell_count: cells }: CountedRun) {
  return state === "completed" && failed * 2 > cells ? "failed" : state;
}
