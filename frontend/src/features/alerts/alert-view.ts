import type { AlertRule, MonitorAlert } from "@/api/types";

/** State filters; open and acknowledged alerts by default. */
export const ALERT_STATES = ["open", "acknowledged", "resolved", "all"] as const;

export const ALERT_RULES = [
  "drop",
  "predicted",
  "errors",
  "latency",
  "cost",
  "budget",
  "not_running",
] as const satisfies readonly AlertRule[];

export const ALERT_SEVERITIES = [
  "alert",
  "warning",
] as const satisfies readonly MonitorAlert["severity"][];

export interface AlertFilters {
  q?: string | undefined;
  state?: (typeof ALERT_STATES)[number] | undefined;
  rule?: AlertRule | undefined;
  severity?: MonitorAlert["severity"] | undefined;
  /** Id of the monitor. */
  monitor?: string | undefined;
}
