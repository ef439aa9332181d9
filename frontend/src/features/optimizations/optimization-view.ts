import {
  CircleCheck,
  CircleDashed,
  CirclePause,
  CirclePlay,
  CircleSlash,
  CircleX,
  type LucideIcon,
} from "lucide-react";
import type { OptimizationState } from "@/api/types";
import type { BadgeTone } from "@/components/ui/badge";

/** States to filter by, in the order of the lifecycle. */
export const OPTIMIZATION_STATES = [
  "draft",
  "running",
  "paused",
  "completed",
  "cancelled",
  "failed",
] as const satisfies readonly OptimizationState[];

export const LIST_STATUSES = ["archived", "all"] as const;

export interface OptimizationFilters {
  q?: string | undefined;
  state?: OptimizationState | undefined;
  status?: (typeof LIST_STATUSES)[number] | undefined;
}

/** What the form of a new optimization is filled from: ids. */
export interface FormSource {
  prompt?: string | undefined;
  run?: string | undefined;
  experiment?: string | undefined;
  /** Another optimization. */
  from?: string | undefined;
}

export const LOOKS: Record<OptimizationState, { tone: BadgeTone; Icon: LucideIcon }> = {
  draft: { tone: "outline", Icon: CircleDashed },
  running: { tone: "info", Icon: CirclePlay },
  paused: { tone: "warning", Icon: CirclePause },
  completed: { tone: "success", Icon: CircleCheck },
  cancelled: { tone: "neutral", Icon: CircleSlash },
  failed: { tone: "danger", Icon: CircleX },
};

export const isActive = (state: OptimizationState) => state === "running" || state === "paused";
