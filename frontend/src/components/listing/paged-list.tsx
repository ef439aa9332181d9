import type { UseInfiniteQueryResult, UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Listing } from "@/api/pages";
import { problemMessage } from "@/api/problem-message";
import { ProblemState } from "@/components/problem-state";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { LoadMore } from "@/components/ui/load-more";
import { TableSkeleton } from "@/components/ui/skeleton";

/** The query state used by a list. */
export type ListQuery<T> = Pick<
  UseInfiniteQueryResult<Listing<T>>,
  | "data"
  | "error"
  | "fetchNextPage"
  | "hasNextPage"
  | "isError"
  | "isFetching"
  | "isFetchingNextPage"
  | "isFetchNextPageError"
  | "isPending"
  | "isPlaceholderData"
  | "refetch"
>;

/** Adapts a list that is read completely and sorted on the client. */
export function wholeList<T>(
  query: UseQueryResult<T[]>,
  arrange: (items: readonly T[]) => T[],
): ListQuery<T> {
  const items = query.data === undefined ? undefined : arrange(query.data);
  return {
    ...query,
    data: items === undefined ? undefined : { items, total: items.length },
    hasNextPage: false,
    isFetchingNextPage: false,
    isFetchNextPageError: false,
  } as unknown as ListQuery<T>;
}

export interface PagedListProps<T> {
  query: ListQuery<T>;
  /** Shown in place of an empty list. */
  empty: ReactNode;
  children: (items: T[]) => ReactNode;
  /** Shown until the first page has loaded. */
  skeleton?: ReactNode;
}

/** A list with its loading, error and empty states, and a button to load more. */
export function PagedList<T>({ query, empty, children, skeleton }: PagedListProps<T>) {
  if (query.isPending) {
    return skeleton ?? <TableSkeleton rows={6} />;
  }
  if (query.data === undefined) {
    return (
      <ProblemState
        error={query.error}
        retrying={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    );
  }
  const { items, total } = query.data;
  if (items.length === 0) {
    return empty;
  }
  return (
    <div className="grid grid-cols-1 gap-4" aria-busy={query.isPlaceholderData}>
      {children(items)}
      {query.isError ? <ListError query={query} /> : null}
      <LoadMore
        shown={items.length}
        total={total}
        hasMore={query.hasNextPage}
        loading={query.isFetchingNextPage}
        onLoadMore={() => void query.fetchNextPage()}
      />
    </div>
  );
}

/** Loaded items stay visible when refetching or loading more fails. */
function ListError<T>({ query }: { query: ListQuery<T> }) {
  const { t } = useTranslation();
  const retry = query.isFetchNextPageError ? query.fetchNextPage : query.refetch;
  return (
    <Alert
      tone="danger"
      action={
        <Button variant="secondary" size="sm" onClick={() => void retry()}>
          {t("ui.retry")}
        </Button>
      }
    >
      {problemMessage(query.error)}
    </Alert>
  );
}
