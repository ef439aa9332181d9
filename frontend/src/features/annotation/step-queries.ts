import { queryOptions } from "@tanstack/react-query";
import { ask } from "@/api/queries";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import { send } from "@/api/request";
import type { AnnotationAnswer, AnnotationStep } from "@/api/types";
import { queueQuery } from "./queries";

/** Well below the ten minutes after which a claim expires. Milliseconds. */
const RENEW_EVERY = 4 * 60_000;
const ITEM = "/projects/{project}/annotation-queues/{queue_id}/items/{item_id}";

/** The user's current item. Refetching renews the claim. */
export const stepQuery = (slug: string, queueId: string) =>
  queryOptions({
    ...ask(
      "/projects/{project}/annotation-queues/{queue_id}/next",
      { project: slug, queue_id: queueId },
      { staleTime: Infinity, gcTime: 0 },
    ),
    refetchInterval: ({ state }) => (state.data?.item == null ? false : RENEW_EVERY),
  });

/** Every response contains the next item. */
function useStep<V>(
  slug: string,
  queueId: string,
  mutationFn: (variables: V) => Promise<AnnotationStep>,
) {
  return useRefreshingMutation([], mutationFn, {
    keep: (queryClient, step) => {
      queryClient.setQueryData(stepQuery(slug, queueId).queryKey, step);
      queryClient.setQueryData(queueQuery(slug, queueId).queryKey, step.queue);
    },
  });
}

export function useScoreItem(slug: string, queueId: string) {
  return useStep(slug, queueId, ({ itemId, body }: { itemId: string; body: AnnotationAnswer }) =>
    send("put", `${ITEM}/score`, { project: slug, queue_id: queueId, item_id: itemId, body }),
  );
}

export function useSkipItem(slug: string, queueId: string) {
  return useStep(slug, queueId, ({ itemId, reason }: { itemId: string; reason: string }) =>
    send("post", `${ITEM}/skip`, {
      project: slug,
      queue_id: queueId,
      item_id: itemId,
      body: { reason },
    }),
  );
}

export function useUndoItem(slug: string, queueId: string) {
  return useStep(slug, queueId, (itemId: string) =>
    send("post", `${ITEM}/undo`, { project: slug, queue_id: queueId, item_id: itemId }),
  );
}
