import type { QueryClient } from "@tanstack/react-query";
import { keys, listsOf } from "./keys";
import { query } from "./queries";
import { useRefreshingMutation } from "./refreshing-mutation";
import { send } from "./request";
import type { Run, RunAction, RunDetail, RunState } from "./types";

export const runQuery = (slug: string, runId: string) =>
  query("/projects/{project}/runs/{run_id}", { project: slug, run_id: runId });

/** Options of changes that return a run: puts it into the cache and refreshes the lists of runs. */
export const runOptions = (slug: string) => ({
  refresh: [listsOf(keys.runs(slug))],
  keep: (queryClient: QueryClient, run: RunDetail) =>
    queryClient.setQueryData(runQuery(slug, run.id).queryKey, run),
});

/** Actions without a dialog; running again has its own. */
export type PlainAction = Exclude<RunAction, "again" | "rescore">;

export function useActOnRun(slug: string) {
  const { refresh, ...options } = runOptions(slug);
  return useRefreshingMutation(
    refresh,
    ({ runId, action }: { runId: string; action: PlainAction }) =>
      send("post", `/projects/{project}/runs/{run_id}/${action}`, { project: slug, run_id: runId }),
    options,
  );
}

/** Keeps a run from being archived and deleted for its age, or no longer. */
export function useKeepRun(slug: string) {
  const { refresh, ...options } = runOptions(slug);
  return useRefreshingMutation(
    refresh,
    ({ runId, isKept }: { runId: string; isKept: boolean }) =>
      send("patch", "/projects/{project}/runs/{run_id}", {
        project: slug,
        run_id: runId,
        body: { is_kept: isKept },
      }),
    options,
  );
}

/** Whether the run is finished: it stays as it is unless a user acts. */
export function isFinished(state: RunState): boolean {
  return state === "completed" || state === "cancelled" || state === "failed";
}

/** Whether the run makes progress without user action. */
export function isWorking(state: RunState): boolean {
  return !isFinished(state) && state !== "paused";
}

/** Percentage of cells done, 0 to 100. */
export function percentDone(run: Pick<Run, "done_count" | "cell_count" | "state">): number {
  if (run.state === "completed") {
    return 100;
  }
  return run.cell_count === 0 ? 0 : Math.min(100, (100 * run.done_count) / run.cell_count);
}
