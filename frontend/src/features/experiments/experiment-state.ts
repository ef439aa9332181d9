import {
  CircleCheck,
  CircleDashed,
  CirclePause,
  CirclePlay,
  CircleX,
  GitPullRequestArrow,
  Hourglass,
  type LucideIcon,
} from "lucide-react";
import type { ExperimentState } from "@/api/types";
import type { BadgeTone } from "@/components/ui/badge";

export const LOOKS: Record<ExperimentState, { tone: BadgeTone; Icon: LucideIcon }> = {
  draft: { tone: "outline", Icon: CircleDashed },
  ready: { tone: "neutral", Icon: Hourglass },
  running: { tone: "info", Icon: CirclePlay },
  paused: { tone: "warning", Icon: CirclePause },
  reviewing: { tone: "accent", Icon: GitPullRequestArrow },
  completed: { tone: "success", Icon: CircleCheck },
  failed: { tone: "danger", Icon: CircleX },
};

/** An iteration is in progress or awaits a review: the experiment cannot be changed. */
export function isInProgress(state: ExperimentState): boolean {
  return state === "running" || state === "paused" || state === "reviewing";
}
