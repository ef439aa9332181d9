import { useQueries, useQueryClient, type QueryClient } from "@tanstack/react-query";
import type { Case } from "@/api/types";
import { casePageQuery, PAGE_SIZE, type DatasetAddress } from "./case-queries";
import type { CaseView } from "./view";

const AN_HOUR = 60 * 60_000;

/** Rows that are on the screen, counted from 0. */
export interface RowRange {
  first: number;
  last: number;
}

export interface CasePages {
  /** How many cases match; null while that is unknown. */
  total: number | null;
  error: unknown;
  retry: () => void;
  /** Undefined while the row has not arrived. */
  rowAt: (index: number) => Case | undefined;
  loadedIds: () => string[];
}

/** Where pages begin, as far as the pages that were read tell: each knows the next one. */
function followCursors(
  queryClient: QueryClient,
  at: DatasetAddress,
  view: CaseView,
  most: number,
): (string | null)[] {
  const cursors: (string | null)[] = [null];
  while (cursors.length < most) {
    const { queryKey } = casePageQuery(at, view, cursors.at(-1) ?? null);
    const next = queryClient.getQueryData(queryKey)?.next;
    if (next === null || next === undefined) {
      break;
    }
    cursors.push(next);
  }
  return cursors;
}

/**
 * Reads the pages that are on the screen, and those on the way to them. Only what is on the screen
 * is read again when cases change, however far somebody has scrolled.
 */
export function useCasePages(at: DatasetAddress, view: CaseView, range: RowRange): CasePages {
  const queryClient = useQueryClient();
  const first = Math.floor(range.first / PAGE_SIZE);
  const last = Math.floor(range.last / PAGE_SIZE);
  const known = followCursors(queryClient, at, view, last + 1);
  const from = Math.min(first, known.length - 1);
  const results = useQueries({
    queries: known
      .slice(from)
      .map((cursor) => ({ ...casePageQuery(at, view, cursor), gcTime: AN_HOUR })),
  });
  const newest = results
    .filter((result) => result.data !== undefined)
    .sort((one, other) => other.dataUpdatedAt - one.dataUpdatedAt)[0];
  const failed = results.find((result) => result.isError);
  const pageAt = (page: number) => {
    const cursor = followCursors(queryClient, at, view, page + 1)[page];
    return cursor === undefined
      ? undefined
      : queryClient.getQueryData(casePageQuery(at, view, cursor).queryKey);
  };
  return {
    total: newest?.data.total ?? null,
    error: failed?.error ?? null,
    retry: () => void failed?.refetch(),
    rowAt: (index) => {
      const page = Math.floor(index / PAGE_SIZE);
      const data = page >= from ? results[page - from]?.data : pageAt(page);
      return data?.items[index % PAGE_SIZE];
    },
    loadedIds: () =>
      followCursors(queryClient, at, view, Infinity).flatMap((cursor) => {
        const { queryKey } = casePageQuery(at, view, cursor);
        return queryClient.getQueryData(queryKey)?.items.map((row) => row.id) ?? [];
      }),
  };
}
