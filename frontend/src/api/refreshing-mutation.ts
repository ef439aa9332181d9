import {
  useMutation,
  useQueryClient,
  type QueryClient,
  type QueryKey,
} from "@tanstack/react-query";
import { useCallback } from "react";

export interface RefreshOptions<V, R> {
  /** Puts the response into the cache before queries are invalidated. */
  keep?: (queryClient: QueryClient, answer: R, variables: V) => void;
  onError?: (error: Error) => void;
  /** Invalidates after errors too: another user's change may have caused the refusal. */
  always?: true;
}

export interface Callbacks<R> {
  onSuccess?: (answer: R) => void;
  onError?: (error: Error) => void;
}

export function refreshAll(queryClient: QueryClient, families: readonly QueryKey[]) {
  return Promise.all(families.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

/**
 * Mutation that invalidates the given query families. The callbacks of `mutate` run also when the
 * component is gone by then, as a deleted row is: TanStack Query would drop them.
 */
export function useRefreshingMutation<V, R>(
  families: readonly QueryKey[],
  mutationFn: (variables: V) => Promise<R>,
  { keep, onError, always }: RefreshOptions<V, R> = {},
) {
  const queryClient = useQueryClient();
  const refresh = () => refreshAll(queryClient, families);
  const mutation = useMutation({
    mutationFn,
    onSuccess: (answer: R, variables: V) => {
      keep?.(queryClient, answer, variables);
      return always === true ? undefined : refresh();
    },
    ...(onError === undefined ? {} : { onError }),
    ...(always === true ? { onSettled: refresh } : {}),
  });
  const { mutateAsync } = mutation;
  const mutate = useCallback(
    (variables: V, callbacks: Callbacks<R> = {}) =>
      void mutateAsync(variables).then(callbacks.onSuccess, callbacks.onError ?? (() => undefined)),
    [mutateAsync],
  );
  return { ...mutation, mutate };
}
