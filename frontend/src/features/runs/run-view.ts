import { METRICS, type Metric } from "@/components/grid/columns";
import type { RowFilter } from "./rows-query";

export { METRICS };

/** What the page of a run shows, as its address says. */
export interface RunView extends RowFilter {
  metric?: Metric | undefined;
  /** Id of the output that is open. */
  output?: string | undefined;
}

export const ROW_STATUSES = ["ok", "error", "malformed"] as const;
