import { useQueries, useQueryClient, type QueryClient } from "@tanstack/react-query";
import type { Case } from "@/api/types";
import { casePageQuery, PAGE_SIZE, type DatasetAddress } from "./case-queries";
import { reversed, type CaseView } from "./view";

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

/**
 * A list read page by page from one of its ends. Each page knows where the next one begins, so a
 * page can be read only after those before it.
 */
class Chain {
  constructor(
    private readonly queryClient: QueryClient,
    private readonly at: DatasetAddress,
    private readonly view: CaseView,
  ) {}

  /** Where pages begin, as far as the pages that were read tell. */
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

  /** What to ask for to show pages `first` to `last`: those, or else the next on the way there. */
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
 * Reads the pages that are on the screen, and those on the way to them from the nearer end. Only
 * what is on the screen is read again when cases change, however far somebody has scrolled.
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
  // On the way to a page far away nothing of what is on the screen has arrived yet.
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
