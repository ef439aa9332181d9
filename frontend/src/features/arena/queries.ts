import { queryOptions } from "@tanstack/react-query";
import { query } from "@/api/queries";
import type { BoardView } from "./board-view";
import { boardFilter } from "./board-view";

export const boardDatasetsQuery = (slug: string) =>
  query("/projects/{project}/arena/datasets", { project: slug });

export const boardQuery = (slug: string, view: BoardView, datasetIds: readonly string[]) =>
  query(
    "/projects/{project}/arena/board",
    { project: slug, query: boardFilter(view, datasetIds) },
    { keepPrevious: true, enabled: datasetIds.length > 0, retry: false },
  );

export const BOARD_FORMATS = ["csv", "md", "pdf"] as const;

/** Address of the board as a file. */
export function exportAddress(
  slug: string,
  view: BoardView,
  datasetIds: readonly string[],
  format: (typeof BOARD_FORMATS)[number],
) {
  const { dataset_id: ids, ...rest } = boardFilter(view, datasetIds);
  const search = new URLSearchParams(ids.map((id) => ["dataset_id", id]));
  for (const [name, value] of Object.entries({ ...rest, format })) {
    if (value !== undefined) {
      search.set(name, String(value));
    }
  }
  return `/api/v1/projects/${encodeURIComponent(slug)}/arena/board/export?${search.toString()}`;
}

/** Origins of runs that decide by the scorers they started with. */
const FIXED_SCORERS = [
  "experiment",
  "monitor",
  "ab_test",
  "optimization",
  "cli",
  "imported",
  "questions",
];
const RUNS_PER_SET = 8;

/** The newest completed runs on a dataset that can be scored again. */
export const scorableRunsQuery = (slug: string, datasetId: string) =>
  queryOptions({
    ...query("/projects/{project}/runs", {
      project: slug,
      query: { dataset_id: datasetId, state: "completed", limit: 50 },
    }),
    select: ({ items }) =>
      items.filter(({ origin }) => !FIXED_SCORERS.includes(origin)).slice(0, RUNS_PER_SET),
  });

const SHOWN_RUNS = 3;
/** Refreshed by events; polled in case events do not arrive. Milliseconds. */
const POLL_EVERY = 3000;

/** Runs on datasets in progress. */
export const activeRunsQuery = (slug: string) =>
  queryOptions({
    ...query("/projects/{project}/runs", { project: slug, query: { is_active: true, limit: 20 } }),
    select: ({ items }) => items.filter((run) => run.dataset_id !== null).slice(0, SHOWN_RUNS),
    refetchInterval: ({ state }) => ((state.data?.items.length ?? 0) > 0 ? POLL_EVERY : false),
  });
