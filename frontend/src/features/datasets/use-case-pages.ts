import { useQueries, useQueryClient, type QueryClient } from "@tanstack/react-query";
import type { Case } from "@/api/types";
import type { DatasetAddress } from "@/api/case-imports";
import { casePageQuery, PAGE_SIZE } from "./case-queries";
import { reversed, type CaseView } from "./view";

const AN_HOUR = 60 * 60_000;

/** Visible rows, zero-based. */
export interface RowRange {
  first: number;
  last: number;
}

export interface CasePages {
  /** Number of matching cases; null while unknown. */
  total: number | null;
  error: unknown;
  retry: () => void;
  /** Undefined until the row has loaded. */
  rowAt: (index: number) => Case | undefined;
  loadedIds: () => string[];
}

/**
 * A list read page by page from one end. Each page holds the cursor of the next one, so pages load
 * in order.
 */
class Chain {
  constructor(
    private readonly queryClient: QueryClient,
    private readonly at: DatasetAddress,
    private readonly view: CaseView,
  ) {}

  /** Known page cursors. */
  cursors(most: number): (string | null)[] {
    const cursors: (string | null)[] = most > 0 ? [null] : [];
    while (cursors.length < most) {
      const next = this.read(cursors.at(-1) ?? null)?.next;
      if (next === null || next === undefined) {
        break;
      }
      cursors.push(next);
    }
    return cursors;
  }

  /** Queries to show pages `first` to `last`: those pages, or the next one on the way there. */
  queries(first: number, last: number) {
    const known = this.cursors(last + 1);
    return known
      .slice(Math.min(first, known.length - 1))
      .map((cursor) => ({ ...casePageQuery(this.at, this.view, cursor), gcTime: AN_HOUR }));
  }

  rowAt(index: number): Case | undefined {
    const page = Math.floor(index / PAGE_SIZE);
    const cursor = this.cursors(page + 1)[page];
    return cursor === undefined ? undefined : this.read(cursor)?.items[index % PAGE_SIZE];
  }

  read(cursor: string | null) {
    return this.queryClient.getQueryData(casePageQuery(this.at, this.view, cursor).queryKey);
  }

  ids(): string[] {
    return this.cursors(Infinity).flatMap(
      (cursor) => this.read(cursor)?.items.map((row) => row.id) ?? [],
    );
  }
}

const pageOf = (index: number) => Math.floor(index / PAGE_SIZE);

/**
 * Loads the visible pages, and the pages leading to them from the nearer end. Changes refetch only
 * the visible pages, however far the user has scrolled.
 */
export function useCasePages(at: DatasetAddress, view: CaseView, range: RowRange): CasePages {
  const queryClient = useQueryClient();
  const forwards = new Chain(queryClient, at, view);
  const backwards = new Chain(queryClient, at, { ...view, sort: reversed(view.sort) });
  const guess = forwards.read(null)?.total ?? null;
  const middle = guess === null ? Infinity : Math.ceil(guess / 2);
  const last = (guess ?? 1) - 1;
  const results = useQueries({
    queries: [
      ...(range.first < middle
        ? forwards.queries(pageOf(range.first), pageOf(Math.min(range.last, middle - 1)))
        : []),
      ...(range.last >= middle
        ? backwards.queries(
            pageOf(Math.max(0, last - range.last)),
            pageOf(last - Math.max(range.first, middle)),
          )
        : []),
    ],
  });
  const newest = results
    .filter((result) => result.data !== undefined)
    .sort((one, other) => other.dataUpdatedAt - one.dataUpdatedAt)[0];
  const failed = results.find((result) => result.isError);
  // While jumping far ahead, none of the visible pages has loaded yet.
  const total = newest?.data.total ?? guess;
  return {
    total,
    error: failed?.error ?? null,
    retry: () => void failed?.refetch(),
    rowAt: (index) =>
      index < middle || total === null ? forwards.rowAt(index) : backwards.rowAt(total - 1 - index),
    loadedIds: () => [...new Set([...forwards.ids(), ...backwards.ids()])],
  };
}
