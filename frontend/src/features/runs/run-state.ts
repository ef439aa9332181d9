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

/** Who asked for a run. */
export const ORIGINS = [
  "api",
  "playground",
  "experiment",
  "arena",
  "monitor",
  "optimizer",
  "cli",
] as const;

export const LOOKS: Record<RunState, { tone: BadgeTone; Icon: LucideIcon }> = {
  pending: { tone: "neutral", Icon: Clock },
  executing: { tone: "info", Icon: CirclePlay },
  scoring: { tone: "info", Icon: Scale },
  aggregating: { tone: "info", Icon: Sigma },
  paused: { tone: "warning", Icon: CirclePause },
  completed: { tone: "success", Icon: CircleCheck },
  cancelled: { tone: "neutral", Icon: Ban },
  failed: { tone: "danger", Icon: CircleX },
};

/** Nothing more will come of it unless somebody asks for it. */
export function isOver(state: RunState): boolean {
  return state === "completed" || state === "cancelled" || state === "failed";
}

/** It goes on by itself. */
export function isWorking(state: RunState): boolean {
  return !isOver(state) && state !== "paused";
}

/** From 0 to 100: how many of its cells are done. */
export function percentDone(run: Pick<Run, "done_count" | "cell_count" | "state">): number {
  if (run.state === "completed") {
    return 100;
  }
  return run.cell_count === 0 ? 0 : Math.min(100, (100 * run.done_count) / run.cell_count);
}
