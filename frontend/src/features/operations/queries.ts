import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import { cursorPaging, flattenPages } from "@/api/pages";

/** Nobody tells when a process breathes, so the page looks again. */
const LOOK_AGAIN_MS = 5000;
const PAGE_SIZE = 20;

export const operationsQuery = (slug: string) =>
  queryOptions({
    queryKey: keys.operationsOverview(slug),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/operations", {
          signal,
          params: { path: { project: slug } },
        }),
      ),
    refetchInterval: LOOK_AGAIN_MS,
  });

export const deadJobsQuery = (slug: string) =>
  infiniteQueryOptions({
    queryKey: keys.deadJobs(slug),
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/operations/dead-jobs", {
          signal,
          params: {
            path: { project: slug },
            query: { limit: PAGE_SIZE, ...(pageParam === null ? {} : { cursor: pageParam }) },
          },
        }),
      ),
    ...cursorPaging,
    select: flattenPages,
    refetchInterval: LOOK_AGAIN_MS,
  });

const pathOf = (slug: string, jobId: string) => ({
  params: { path: { project: slug, job_id: jobId } },
});

export interface DecisionEvents {
  onSuccess?: () => void;
  onError?: (error: Error) => void;
}

/**
 * Afterwards the lists are read again in either case: somebody else may have decided first. The
 * events are given here and not to `mutate`, which is silent once the job's row has gone.
 */
function useDecision(
  slug: string,
  decide: (jobId: string) => Promise<unknown>,
  events: DecisionEvents,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: decide,
    ...events,
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.operations(slug) }),
  });
}

export const useRetryJob = (slug: string, events: DecisionEvents) =>
  useDecision(
    slug,
    (jobId) =>
      unwrap(
        api.POST(
          "/api/v1/projects/{project}/operations/dead-jobs/{job_id}/retry",
          pathOf(slug, jobId),
        ),
      ),
    events,
  );

export const useDiscardJob = (slug: string, events: DecisionEvents) =>
  useDecision(
    slug,
    (jobId) =>
      unwrap(
        api.DELETE("/api/v1/projects/{project}/operations/dead-jobs/{job_id}", pathOf(slug, jobId)),
      ),
    events,
  );
