import type { UseQueryResult } from "@tanstack/react-query";
import { useId, type ReactNode } from "react";
import { ProblemState } from "@/components/problem-state";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";

export interface ListCardProps<T> {
  title: string;
  /** Link to the whole list. */
  actions?: ReactNode;
  query: UseQueryResult<readonly T[]>;
  /** Shown in place of an empty list. */
  empty: ReactNode;
  /** A row, as an `li`. */
  row: (item: T) => ReactNode;
}

/** A card with a short list that loads by itself. */
export function ListCard<T>({ title, actions, query, empty, row }: ListCardProps<T>) {
  const id = useId();
  return (
    <Card aria-labelledby={id} className="min-w-0">
      <CardHeader id={id} title={title} actions={actions} />
      {query.isPending ? (
        <CardContent>
          <LoadingStatus className="grid gap-3">
            <Skeleton className="h-8" />
            <Skeleton className="h-8" />
          </LoadingStatus>
        </CardContent>
      ) : query.isError ? (
        <CardContent>
          <ProblemState error={query.error} onRetry={() => void query.refetch()} />
        </CardContent>
      ) : query.data.length === 0 ? (
        <p className="px-5 pt-2 pb-5 text-sm text-pretty text-ink-muted">{empty}</p>
      ) : (
        <ul className="mt-3 divide-y divide-border border-t border-border">
          {query.data.map(row)}
        </ul>
      )}
    </Card>
  );
}
