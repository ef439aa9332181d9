import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { pages, query } from "@/api/queries";
import { isWorking } from "@/api/runs";
import type { RunState } from "@/api/types";

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
  status?: "archived" | undefined;
}

/** Runs on the project's home page. */
const RECENT = 5;

export const recentRunsQuery = (slug: string) =>
  queryOptions({
    ...query("/projects/{project}/runs", { project: slug, query: { limit: RECENT } }),
    select: ({ items }) => items,
  });

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
          status: filters.status,
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
