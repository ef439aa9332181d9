import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import type { AnnotationAnswer, AnnotationStep } from "@/api/types";

/** Well before a claim runs out, which is after ten minutes. */
const RENEW_EVERY = 4 * 60_000;

const itemAt = (slug: string, queueId: string, itemId: string) => ({
  params: { path: { project: slug, queue_id: queueId, item_id: itemId } },
});

/** The reader's turn. Asking again keeps it theirs for longer. */
export const stepQuery = (slug: string, queueId: string) =>
  queryOptions({
    queryKey: keys.annotationStep(slug, queueId),
    queryFn: ({ signal }) =>
      unwrap(
        api.POST("/api/v1/projects/{project}/annotation-queues/{queue_id}/next", {
          signal,
          params: { path: { project: slug, queue_id: queueId } },
        }),
      ),
    staleTime: Infinity,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data?.item == null ? false : RENEW_EVERY),
  });

/** Every answer brings the next turn with it. */
function useStep<V>(
  slug: string,
  queueId: string,
  mutationFn: (variables: V) => Promise<AnnotationStep>,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (step) => {
      queryClient.setQueryData(keys.annotationStep(slug, queueId), step);
      queryClient.setQueryData(keys.annotationQueue(slug, queueId, "detail"), step.queue);
    },
  });
}

export function useScoreItem(slug: string, queueId: string) {
  return useStep(slug, queueId, ({ itemId, body }: { itemId: string; body: AnnotationAnswer }) =>
    unwrap(
      api.PUT("/api/v1/projects/{project}/annotation-queues/{queue_id}/items/{item_id}/score", {
        ...itemAt(slug, queueId, itemId),
        body,
      }),
    ),
  );
}

export function useSkipItem(slug: string, queueId: string) {
  return useStep(slug, queueId, ({ itemId, reason }: { itemId: string; reason: string }) =>
    unwrap(
      api.POST("/api/v1/projects/{project}/annotation-queues/{queue_id}/items/{item_id}/skip", {
        ...itemAt(slug, queueId, itemId),
        body: { reason },
      }),
    ),
  );
}

export function useUndoItem(slug: string, queueId: string) {
  return useStep(slug, queueId, (itemId: string) =>
    unwrap(
      api.POST(
        "/api/v1/projects/{project}/annotation-queues/{queue_id}/items/{item_id}/undo",
        itemAt(slug, queueId, itemId),
      ),
    ),
  );
}
