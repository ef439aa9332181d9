import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { APART, query } from "./queries";
import type { Cell, RunRow, RunRowPage } from "./types";

/** Which rows of a run: those where some cell is like this. */
export interface RowFilter {
  status?: Cell["status"] | undefined;
  q?: string | undefined;
  /** Between 0 and 1: what some cell is worth. */
  minScore?: number | undefined;
  maxScore?: number | undefined;
  /** A figure and the position of a variant, as in "-grade.0"; absent: as the cases are. */
  sort?: string | undefined;
}

export interface RunAddress {
  slug: string;
  runId: string;
}

const toQuery = ({ status, q, minScore, maxScore, sort }: RowFilter) => ({
  status,
  q,
  sort,
  min_score: minScore,
  max_score: maxScore,
});

const rowsQuery = ({ slug, runId }: RunAddress, filter: RowFilter, after: number, limit: number) =>
  query(
    "/projects/{project}/runs/{run_id}/rows",
    { project: slug, run_id: runId, query: { ...toQuery(filter), after, limit } },
    { family: APART },
  );

/** Rows go into the grid's own store, which the stream keeps current: they are not cached twice. */
export function readRows(queryClient: QueryClient, at: RunAddress, filter: RowFilter) {
  return (after: number, limit: number): Promise<RunRowPage> =>
    queryClient.query({ ...rowsQuery(at, filter, after, limit), staleTime: 0, gcTime: 0 });
}

/** One case of a run. Its inputs never change; its cells may, and are then read by themselves. */
export const caseQuery = (at: RunAddress, position: number) =>
  queryOptions({
    ...rowsQuery(at, {}, position - 1, 1),
    select: (page): RunRow | undefined => page.items[0],
    staleTime: Infinity,
  });
