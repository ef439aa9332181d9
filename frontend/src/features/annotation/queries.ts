import { queryOptions } from "@tanstack/react-query";
import { keys } from "@/api/keys";
import { LARGEST_PAGE } from "@/api/pages";
import { ask, pages, query } from "@/api/queries";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import { send } from "@/api/request";
import type { QueueState, SampleRequest } from "@/api/types";

const PAGE_SIZE = 20;
export const QUEUE = "/projects/{project}/annotation-queues/{queue_id}";

export interface QueueFilters {
  q?: string | undefined;
  state?: QueueState | undefined;
}

export const queuesQuery = (slug: string, filters: QueueFilters) =>
  pages(
    "/projects/{project}/annotation-queues",
    { project: slug, query: { ...filters, limit: PAGE_SIZE } },
    { keepPrevious: true },
  );

export const queueQuery = (slug: string, queueId: string) =>
  query(QUEUE, { project: slug, queue_id: queueId });

export const resultsQuery = (slug: string, queueId: string) =>
  query(`${QUEUE}/results`, { project: slug, queue_id: queueId });

export function exportAddress(slug: string, queueId: string): string {
  return `/api/v1/projects/${encodeURIComponent(slug)}/annotation-queues/${queueId}/export`;
}

/** Runs with outputs to score, the latest first. */
export const runChoicesQuery = (slug: string, q: string) =>
  queryOptions({
    ...query(
      "/projects/{project}/runs",
      { project: slug, query: { limit: PAGE_SIZE, q: q === "" ? undefined : q } },
      { keepPrevious: true },
    ),
    select: ({ items }) => items.filter((run) => run.done_count > run.error_count),
  });

/** Members who may score. */
export const annotatorsQuery = (slug: string) =>
  queryOptions({
    ...query("/projects/{project}/members", { project: slug, query: { limit: LARGEST_PAGE } }),
    select: ({ items }) => items.filter((member) => member.role !== "VIEWER"),
  });

export const sampleQuery = (slug: string, wanted: SampleRequest) =>
  ask(
    "/projects/{project}/annotation-queues/preview",
    { project: slug, body: wanted },
    { enabled: wanted.run_ids.length > 0, keepPrevious: true },
  );

export type QueueMove = "pause" | "open" | "close";

export function useMoveQueue(slug: string) {
  return useRefreshingMutation(
    [keys.annotation(slug)],
    ({ queueId, move }: { queueId: string; move: QueueMove }) =>
      send("post", `${QUEUE}/${move}`, { project: slug, queue_id: queueId }),
  );
}
