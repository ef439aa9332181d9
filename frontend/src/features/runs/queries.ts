import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import { cursorPaging, flattenPages } from "@/api/pages";
import { isWorking } from "@/api/runs";
import type { RunAction, RunDetail, RunRequest, RunState } from "@/api/types";
import { definedOnly } from "@/lib/search";

const PAGE_SIZE = 50;
/** Events tell what changes; asking now and then helps where they do not arrive. */
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
    queryKey: keys.runList(slug, filters),
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/runs", {
          signal,
          params: {
            path: { project: slug },
            query: definedOnly({
              limit: PAGE_SIZE,
              cursor: pageParam ?? undefined,
              q: filters.q,
              state: filters.state,
              origin: filters.origin,
              prompt_id: filters.prompt,
              model_id: filters.model,
              dataset_id: filters.dataset,
              is_active: filters.active,
            }),
          },
        }),
      ),
    ...cursorPaging,
    select: flattenPages,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.items.some((run) => isWorking(run.state))) === true
        ? POLL_EVERY
        : false,
  });

/** How much is under way in the project: paused runs wait for somebody. */
export const activeRunsQuery = (slug: string) =>
  queryOptions({
    queryKey: keys.runList(slug, { chip: true }),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/runs", {
          signal,
          params: { path: { project: slug }, query: { is_active: true, limit: 100 } },
        }),
      ),
    select: ({ items }) => ({
      working: items.filter((run) => isWorking(run.state)).length,
      paused: items.filter((run) => run.state === "paused").length,
    }),
    refetchInterval: ({ state }) => ((state.data?.items.length ?? 0) > 0 ? POLL_EVERY : false),
  });

const at = (slug: string, runId: string) => ({
  params: { path: { project: slug, run_id: runId } },
});

export const replayComparisonQuery = (slug: string, runId: string) =>
  queryOptions({
    queryKey: keys.replayComparison(slug, runId),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/runs/{run_id}/replay-comparison", {
          signal,
          ...at(slug, runId),
        }),
      ),
    staleTime: Infinity,
  });

/** What a run can be told at once; being made again is a question of its own. */
export type PlainAction = Exclude<RunAction, "again">;

const ACTIONS: Record<PlainAction, (slug: string, runId: string) => Promise<RunDetail>> = {
  pause: (slug, runId) =>
    unwrap(api.POST("/api/v1/projects/{project}/runs/{run_id}/pause", at(slug, runId))),
  resume: (slug, runId) =>
    unwrap(api.POST("/api/v1/projects/{project}/runs/{run_id}/resume", at(slug, runId))),
  cancel: (slug, runId) =>
    unwrap(api.POST("/api/v1/projects/{project}/runs/{run_id}/cancel", at(slug, runId))),
  retry: (slug, runId) =>
    unwrap(api.POST("/api/v1/projects/{project}/runs/{run_id}/retry", at(slug, runId))),
  replay: (slug, runId) =>
    unwrap(api.POST("/api/v1/projects/{project}/runs/{run_id}/replay", at(slug, runId))),
};

/** What comes back is the run as it is now; the lists that show it are read again. */
function useRunMutation<V>(slug: string, mutationFn: (variables: V) => Promise<RunDetail>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (run) => {
      queryClient.setQueryData(keys.run(slug, run.id), run);
      return queryClient.invalidateQueries({ queryKey: [...keys.runs(slug), "list"] });
    },
  });
}

export function useActOnRun(slug: string) {
  return useRunMutation(slug, ({ runId, action }: { runId: string; action: PlainAction }) =>
    ACTIONS[action](slug, runId),
  );
}

export function useRunAgain(slug: string) {
  return useRunMutation(slug, ({ runId, isFresh }: { runId: string; isFresh: boolean }) =>
    unwrap(
      api.POST("/api/v1/projects/{project}/runs/{run_id}/again", {
        ...at(slug, runId),
        body: { is_cache_bypassed: isFresh },
      }),
    ),
  );
}

export function useCreateRun(slug: string) {
  return useRunMutation(slug, (body: RunRequest) =>
    unwrap(
      api.POST("/api/v1/projects/{project}/runs", { params: { path: { project: slug } }, body }),
    ),
  );
}

export function useRenameRun(slug: string) {
  return useRunMutation(slug, ({ runId, name }: { runId: string; name: string }) =>
    unwrap(
      api.PATCH("/api/v1/projects/{project}/runs/{run_id}", { ...at(slug, runId), body: { name } }),
    ),
  );
}

/** The page of the deleted run must not ask for it again: only lists are read anew. */
export function useDeleteRun(slug: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (runId: string) =>
      unwrap(api.DELETE("/api/v1/projects/{project}/runs/{run_id}", at(slug, runId))),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [...keys.runs(slug), "list"] }),
  });
}
