import { pages, query } from "@/api/queries";

/** Heartbeats have no events, so the page polls. */
const POLL_EVERY_MS = 5000;
const PAGE_SIZE = 20;
export const JOB = "/projects/{project}/operations/dead-jobs/{job_id}";

export const operationsQuery = (slug: string) =>
  query("/projects/{project}/operations", { project: slug }, { refetchInterval: POLL_EVERY_MS });

export const deadJobsQuery = (slug: string) =>
  pages(
    "/projects/{project}/operations/dead-jobs",
    { project: slug, query: { limit: PAGE_SIZE } },
    { refetchInterval: POLL_EVERY_MS },
  );
