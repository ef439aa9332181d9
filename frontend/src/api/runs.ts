import { query } from "./queries";
import type { Run, RunState } from "./types";

export const runQuery = (slug: string, runId: string) =>
  query("/projects/{project}/runs/{run_id}", { project: slug, run_id: runId });

/** Nothing more will come of it unless somebody asks for it. */
export function isOver(state: RunState): boolean {
  return state === "completed" || state === "cancelled" || state === "failed";
}

/** It goes on by itself. */
export function isWorking(state: RunState): boolean {
  return !isOver(state) && state !== "paused";
}

/** From 0 to 100: how many of its cells are done. */
export function percentDone(run: Pick<Run, "done_count" | "cell_count" | "state">): number {
  if (run.state === "completed") {
    return 100;
  }
  return run.cell_count === 0 ? 0 : Math.min(100, (100 * run.done_count) / run.cell_count);
}
