import { useMutation, useQueryClient, type QueryKey } from "@tanstack/react-query";

/** A change after which everything in these families of queries is read anew. */
export function useRefreshingMutation<V, R>(
  families: readonly QueryKey[],
  mutationFn: (variables: V) => Promise<R>,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: () =>
      Promise.all(families.map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  });
}
