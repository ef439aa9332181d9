import type { Monitor } from "@/api/types";
import type { MonitorAddress } from "./queries";

/** Shared by the tabs of a monitor's page. */
export interface MonitorTabProps {
  at: MonitorAddress;
  monitor: Monitor;
  editable: boolean;
}
