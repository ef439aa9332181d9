import type { RowFilter } from "@/api/run-rows";
import { METRICS, type Metric } from "./columns";

export { METRICS };

export const ROW_STATUSES = ["ok", "error", "malformed"] as const;

/** Which answers are shown, and how. */
export interface AnswersView extends RowFilter {
  metric?: Metric | undefined;
  /** Id of the output that is open. */
  output?: string | undefined;
}
