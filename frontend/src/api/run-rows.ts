import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { APART, query } from "./queries";
import type { Cell, RunRow, RunRowPage } from "./types";

/** Filter for the rows of a run: rows with at least one matching cell. */
export interface RowFilter {
  status?: Cell["status"] | undefined;
  q?: string | undefined;
  /** Minimum score of some cell, 0 to 1. */
  minScore?: number | undefined;
  maxScore?: number | undefined;
  /** Metric and variant position, as in "-grade.0"; by default in the order of the cases. */
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

/** Reads rows without caching them: the grid's own store holds them, updated by the stream. */
export function readRows(queryClient: QueryClient, at: RunAddress, filter: RowFilter) {
  return (after: number, limit: number): Promise<RunRowPage> =>
    queryClient.query({ ...rowsQuery(at, filter, after, limit), staleTime: 0, gcTime: 0 });
}

/** One case of a run. Inputs are immutable; cells are read separately. */
export const caseQuery = (at: RunAddress, position: number) =>
  queryOptions({
    ...rowsQuery(at, {}, position - 1, 1),
    select: (page): RunRow | undefined => page.items[0],
    staleTime: Infinity,
  });
