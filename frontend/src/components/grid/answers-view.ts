import type { RowFilter } from "@/api/run-rows";
import { METRICS, type Metric } from "./columns";

export { METRICS };

export const ROW_STATUSES = ["ok", "error", "malformed"] as const;

/** Filters and display options of the answers. */
export interface AnswersView extends RowFilter {
  metric?: Metric | undefined;
  /** Id of the open output. */
  output?: string | undefined;
}
