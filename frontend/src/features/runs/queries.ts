import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { keys, listsOf } from "@/api/keys";
import { pages, query } from "@/api/queries";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import { send } from "@/api/request";
import { isWorking, runQuery } from "@/api/runs";
import type { RunAction, RunDetail, RunRequest, RunState } from "@/api/types";

const PAGE_SIZE = 50;
/** Refreshed by events; polled in case events do not arrive. Milliseconds. */
const POLL_EVERY = 5000;

export interface RunFilters {
  q?: string | undefined;
  state?: RunState | undefined;
  origin?: string | undefined;
  prompt?: string | undefined;
  model?: string | undefined;
  dataset?: string | undefined;
  active?: true | undefined;
}

export const runsQuery = (slug: string, filters: RunFilters) =>
  infiniteQueryOptions({
    ...pages(
      "/projects/{project}/runs",
      {
        project: slug,
        query: {
          limit: PAGE_SIZE,
          q: filters.q,
          state: filters.state,
          origin: filters.origin,
          prompt_id: filters.prompt,
          model_id: filters.model,
          dataset_id: filters.dataset,
          is_active: filters.active,
        },
      },
      { keepPrevious: true },
    ),
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.items.some((run) => isWorking(run.state))) === true
        ? POLL_EVERY
        : false,
  });

/** Number of runs in progress in the project; paused runs are waiting for a user. */
export const activeRunsQuery = (slug: string) =>
  queryOptions({
    ...query("/projects/{project}/runs", {
      project: slug,
      query: { is_active: true, limit: 100 },
    }),
    select: ({ items }) => ({
      working: items.filter((run) => isWorking(run.state)).length,
      paused: items.filter((run) => run.state === "paused").length,
    }),
    refetchInterval: ({ state }) => ((state.data?.items.length ?? 0) > 0 ? POLL_EVERY : false),
  });

export const replayComparisonQuery = (slug: string, runId: string) =>
  query(
    "/projects/{project}/runs/{run_id}/replay-comparison",
    { project: slug, run_id: runId },
    { staleTime: Infinity },
  );

/** Actions without a dialog; running again has its own. */
export type PlainAction = Exclude<RunAction, "again">;

/** Puts the returned run into the cache and invalidates lists that show it. */
function useRunMutation<V>(slug: string, mutationFn: (variables: V) => Promise<RunDetail>) {
  return useRefreshingMutation([listsOf(keys.runs(slug))], mutationFn, {
    keep: (queryClient, run) => {
      queryClient.setQueryData(runQuery(slug, run.id).queryKey, run);
    },
  });
}

export function useActOnRun(slug: string) {
  return useRunMutation(slug, ({ runId, action }: { runId: string; action: PlainAction }) =>
    send("post", `/projects/{project}/runs/{run_id}/${action}`, { project: slug, run_id: runId }),
  );
}

export function useRunAgain(slug: string) {
  return useRunMutation(slug, ({ runId, isFresh }: { runId: string; isFresh: boolean }) =>
    send("post", "/projects/{project}/runs/{run_id}/again", {
      project: slug,
      run_id: runId,
      body: { is_cache_bypassed: isFresh },
    }),
  );
}

export function useCreateRun(slug: string) {
  return useRunMutation(slug, (body: RunRequest) =>
    send("post", "/projects/{project}/runs", { project: slug, body }),
  );
}

export function useRenameRun(slug: string) {
  return useRunMutation(slug, ({ id, name }: { id: string; name: string }) =>
    send("patch", "/projects/{project}/runs/{run_id}", {
      project: slug,
      run_id: id,
      body: { name },
    }),
  );
}

/** Invalidates only lists: the deleted run must not be refetched. */
export function useDeleteRun(slug: string) {
  return useRefreshingMutation([listsOf(keys.runs(slug))], (runId: string) =>
    send("delete", "/projects/{project}/runs/{run_id}", { project: slug, run_id: runId }),
  );
}
