import type { RowFilter } from "@/api/run-rows";
import { METRICS, type Metric } from "@/components/grid/columns";

export { METRICS };

/** What the page of a run shows, as its address says. */
export interface RunView extends RowFilter {
  metric?: Metric | undefined;
  /** Id of the output that is open. */
  output?: string | undefined;
  tab?: RunTab | undefined;
  /** Id of the run that results are compared with. */
  against?: string | undefined;
}

export const RUN_TABS = ["answers", "results"] as const;
export type RunTab = (typeof RUN_TABS)[number];

export const ROW_STATUSES = ["ok", "error", "malformed"] as const;
