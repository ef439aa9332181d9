import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { ask } from "@/api/queries";
import type { AnnotationStep } from "@/api/types";
import { QUEUE, queueQuery } from "./queries";

/** Well below the ten minutes after which a claim expires. Milliseconds. */
const RENEW_EVERY = 4 * 60_000;
export const ITEM = `${QUEUE}/items/{item_id}` as const;

/** The user's current item. Refetching renews the claim. */
export const stepQuery = (slug: string, queueId: string) =>
  queryOptions({
    ...ask(
      `${QUEUE}/next`,
      { project: slug, queue_id: queueId },
      { staleTime: Infinity, gcTime: 0 },
    ),
    refetchInterval: ({ state }) => (state.data?.item == null ? false : RENEW_EVERY),
  });

/** Options of changes of items: every response contains the next item. */
export const stepOptions = (slug: string, queueId: string) => ({
  refresh: [],
  keep: (queryClient: QueryClient, step: AnnotationStep) => {
    queryClient.setQueryData(stepQuery(slug, queueId).queryKey, step);
    queryClient.setQueryData(queueQuery(slug, queueId).queryKey, step.queue);
  },
});
