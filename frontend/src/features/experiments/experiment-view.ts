import type { ExperimentState } from "@/api/types";

/** States to filter by, roughly in the order of the lifecycle. */
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
