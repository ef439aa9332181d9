import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import { cursorPaging, flattenPages, LARGEST_PAGE } from "@/api/pages";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import type { AnnotationQueueRequest, QueueState, SampleRequest } from "@/api/types";
import { definedOnly } from "@/lib/search";

const PAGE_SIZE = 20;

export interface QueueFilters {
  q?: string | undefined;
  state?: QueueState | undefined;
}

const inProject = (slug: string) => ({ path: { project: slug } });
const inQueue = (slug: string, queueId: string) => ({
  params: { path: { project: slug, queue_id: queueId } },
});

export const queuesQuery = (slug: string, filters: QueueFilters) =>
  infiniteQueryOptions({
    queryKey: keys.annotationList(slug, filters),
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/annotation-queues", {
          signal,
          params: {
            ...inProject(slug),
            query: definedOnly({ limit: PAGE_SIZE, cursor: pageParam ?? undefined, ...filters }),
          },
        }),
      ),
    ...cursorPaging,
    select: flattenPages,
    placeholderData: keepPreviousData,
  });

export const queueQuery = (slug: string, queueId: string) =>
  queryOptions({
    queryKey: keys.annotationQueue(slug, queueId, "detail"),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/annotation-queues/{queue_id}", {
          signal,
          ...inQueue(slug, queueId),
        }),
      ),
  });

export const resultsQuery = (slug: string, queueId: string) =>
  queryOptions({
    queryKey: keys.annotationQueue(slug, queueId, "results"),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/annotation-queues/{queue_id}/results", {
          signal,
          ...inQueue(slug, queueId),
        }),
      ),
  });

export function exportAddress(slug: string, queueId: string): string {
  return `/api/v1/projects/${encodeURIComponent(slug)}/annotation-queues/${queueId}/export`;
}

/** Runs that have something to ask about, the latest first. */
export const runChoicesQuery = (slug: string, q: string) =>
  queryOptions({
    queryKey: keys.runList(slug, { choices: q }),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/runs", {
          signal,
          params: { ...inProject(slug), query: { limit: PAGE_SIZE, ...(q === "" ? {} : { q }) } },
        }),
      ),
    select: ({ items }) => items.filter((run) => run.done_count > run.error_count),
    placeholderData: keepPreviousData,
  });

export const runToAskQuery = (slug: string, runId: string) =>
  queryOptions({
    queryKey: keys.run(slug, runId),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/runs/{run_id}", {
          signal,
          params: { path: { project: slug, run_id: runId } },
        }),
      ),
  });

/** Members who may score. */
export const annotatorsQuery = (slug: string) =>
  queryOptions({
    queryKey: [...keys.members(slug), "annotators"],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/members", {
          signal,
          params: { ...inProject(slug), query: { limit: LARGEST_PAGE } },
        }),
      ),
    select: ({ items }) => items.filter((member) => member.role !== "VIEWER"),
  });

export const sampleQuery = (slug: string, wanted: SampleRequest) =>
  queryOptions({
    queryKey: keys.annotationSample(slug, wanted),
    queryFn: ({ signal }) =>
      unwrap(
        api.POST("/api/v1/projects/{project}/annotation-queues/preview", {
          signal,
          params: inProject(slug),
          body: wanted,
        }),
      ),
    enabled: wanted.run_ids.length > 0,
    placeholderData: keepPreviousData,
  });

function useQueueMutation<V, R>(slug: string, mutationFn: (variables: V) => Promise<R>) {
  return useRefreshingMutation([keys.annotation(slug)], mutationFn);
}

export function useCreateQueue(slug: string) {
  return useQueueMutation(slug, (body: AnnotationQueueRequest) =>
    unwrap(
      api.POST("/api/v1/projects/{project}/annotation-queues", { params: inProject(slug), body }),
    ),
  );
}

export type QueueMove = "pause" | "open" | "close";

const MOVES = {
  pause: "/api/v1/projects/{project}/annotation-queues/{queue_id}/pause",
  open: "/api/v1/projects/{project}/annotation-queues/{queue_id}/open",
  close: "/api/v1/projects/{project}/annotation-queues/{queue_id}/close",
} as const;

export function useMoveQueue(slug: string) {
  return useQueueMutation(slug, ({ queueId, move }: { queueId: string; move: QueueMove }) =>
    unwrap(api.POST(MOVES[move], inQueue(slug, queueId))),
  );
}

export function useDeleteQueue(slug: string) {
  return useQueueMutation(slug, (queueId: string) =>
    unwrap(
      api.DELETE("/api/v1/projects/{project}/annotation-queues/{queue_id}", inQueue(slug, queueId)),
    ),
  );
}
