import type { CheckState, MonitorTrend } from "@/api/types";

export const MONITOR_STATES = ["active", "paused"] as const;
export const LIST_STATUSES = ["archived", "all"] as const;

export interface MonitorFilters {
  q?: string | undefined;
  state?: (typeof MONITOR_STATES)[number] | undefined;
  status?: (typeof LIST_STATUSES)[number] | undefined;
}

export const MONITOR_TABS = ["trend", "checks", "models", "costs", "settings"] as const;
export type MonitorTab = (typeof MONITOR_TABS)[number];

export const TREND_DAYS = ["7", "30", "all"] as const satisfies readonly MonitorTrend["days"][];
export type TrendDays = (typeof TREND_DAYS)[number];

/** States to filter checks by. */
export const CHECK_STATES = [
  "done",
  "skipped",
  "failed",
  "cancelled",
] as const satisfies readonly CheckState[];

/** Search parameters of a monitor's page. */
export interface MonitorView {
  tab?: MonitorTab | undefined;
  days?: TrendDays | undefined;
  /** State filter of the checks. */
  state?: (typeof CHECK_STATES)[number] | undefined;
  /** Id of the opened check. */
  check?: string | undefined;
}
