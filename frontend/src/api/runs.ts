import { query } from "./queries";
import type { Run, RunState } from "./types";

export const runQuery = (slug: string, runId: string) =>
  query("/projects/{project}/runs/{run_id}", { project: slug, run_id: runId });

/** Whether the run is finished: it stays as it is unless a user acts. */
export function isOver(state: RunState): boolean {
  return state === "completed" || state === "cancelled" || state === "failed";
}

/** Whether the run makes progress without user action. */
export function isWorking(state: RunState): boolean {
  return !isOver(state) && state !== "paused";
}

/** Percentage of cells done, 0 to 100. */
export function percentDone(run: Pick<Run, "done_count" | "cell_count" | "state">): number {
  if (run.state === "completed") {
    return 100;
  }
  return run.cell_count === 0 ? 0 : Math.min(100, (100 * run.done_count) / run.cell_count);
}
