import {
  useMutation,
  useQueryClient,
  type QueryClient,
  type QueryKey,
} from "@tanstack/react-query";

export interface RefreshOptions<V, R> {
  /** Puts the answer into the cache before anything is read again. */
  keep?: (queryClient: QueryClient, answer: R, variables: V) => void;
  onError?: (error: Error) => void;
  /** Also after a refusal, which may be due to a change by another person. */
  always?: true;
}

export function refreshAll(queryClient: QueryClient, families: readonly QueryKey[]) {
  return Promise.all(families.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

/** A change after which everything in these families of queries is read anew. */
export function useRefreshingMutation<V, R>(
  families: readonly QueryKey[],
  mutationFn: (variables: V) => Promise<R>,
  { keep, onError, always }: RefreshOptions<V, R> = {},
) {
  const queryClient = useQueryClient();
  const refresh = () => refreshAll(queryClient, families);
  return useMutation({
    mutationFn,
    onSuccess: (answer: R, variables: V) => {
      keep?.(queryClient, answer, variables);
      return always === true ? undefined : refresh();
    },
    ...(onError === undefined ? {} : { onError }),
    ...(always === true ? { onSettled: refresh } : {}),
  });
}
