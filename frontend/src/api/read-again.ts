import type { Query, QueryClient, QueryKey } from "@tanstack/react-query";

const awaited = new WeakSet<Query>();

const isFirstRead = ({ state }: Query) =>
  state.data === undefined && state.fetchStatus === "fetching";

/**
 * Invalidates what is below the key. A first read under way is not sent again by that, though its
 * answer may be older than the event: it is followed by a second one.
 */
export function readAgain(queryClient: QueryClient, queryKey: QueryKey): void {
  const firstReads = queryClient.getQueryCache().findAll({ queryKey, predicate: isFirstRead });
  void queryClient.invalidateQueries({ queryKey });
  for (const query of firstReads.filter((each) => !awaited.has(each))) {
    awaited.add(query);
    const follow = () => {
      awaited.delete(query);
      void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true });
    };
    void query.promise?.then(follow, () => awaited.delete(query));
  }
}
