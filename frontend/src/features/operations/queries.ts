import { useMutation, useQueryClient } from "@tanstack/react-query";
import { keys } from "@/api/keys";
import { pages, query } from "@/api/queries";
import { send } from "@/api/request";

/** Nobody tells when a process breathes, so the page looks again. */
const LOOK_AGAIN_MS = 5000;
const PAGE_SIZE = 20;
const JOB = "/projects/{project}/operations/dead-jobs/{job_id}";

export const operationsQuery = (slug: string) =>
  query("/projects/{project}/operations", { project: slug }, { refetchInterval: LOOK_AGAIN_MS });

export const deadJobsQuery = (slug: string) =>
  pages(
    "/projects/{project}/operations/dead-jobs",
    { project: slug, query: { limit: PAGE_SIZE } },
    { refetchInterval: LOOK_AGAIN_MS },
  );

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
    (jobId) => send("post", `${JOB}/retry`, { project: slug, job_id: jobId }),
    events,
  );

export const useDiscardJob = (slug: string, events: DecisionEvents) =>
  useDecision(slug, (jobId) => send("delete", JOB, { project: slug, job_id: jobId }), events);
