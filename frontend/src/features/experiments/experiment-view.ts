import type { ExperimentState } from "@/api/types";

/** States in which experiments can be looked for, roughly in the order they go through. */
export const EXPERIMENT_STATES = [
  "draft",
  "ready",
  "running",
  "paused",
  "reviewing",
  "completed",
  "failed",
] as const satisfies readonly ExperimentState[];

export const LIST_STATUSES = ["archived", "all"] as const;

export interface ExperimentFilters {
  q?: string | undefined;
  state?: ExperimentState | undefined;
  status?: (typeof LIST_STATUSES)[number] | undefined;
}
