import { queryOptions } from "@tanstack/react-query";
import { allPages, ask, pages, query } from "@/api/queries";
import type { OptimizationConfig } from "@/api/types";
import type { FormSource, OptimizationFilters } from "./optimization-view";

const PAGE_SIZE = 50;
/** Refreshed by events; polled for the progress of the run in between. Milliseconds. */
const POLL_EVERY = 3000;
const OPTIMIZATIONS = "/projects/{project}/optimizations";
export const OPTIMIZATION = `${OPTIMIZATIONS}/{optimization_id}` as const;

export const optimizationsQuery = (slug: string, filters: OptimizationFilters) =>
  pages(
    OPTIMIZATIONS,
    { project: slug, query: { ...filters, limit: PAGE_SIZE } },
    { keepPrevious: true },
  );

/** All unarchived optimizations, to compare with. */
export const optimizationChoicesQuery = (slug: string) =>
  allPages(OPTIMIZATIONS, { project: slug });

export const optimizationQuery = (slug: string, optimizationId: string) =>
  queryOptions({
    ...query(OPTIMIZATION, { project: slug, optimization_id: optimizationId }),
    refetchInterval: ({ state }) => (state.data?.state === "running" ? POLL_EVERY : false),
  });

export const candidateQuery = (slug: string, optimizationId: string, number: number) =>
  query(`${OPTIMIZATION}/candidates/{candidate_number}`, {
    project: slug,
    optimization_id: optimizationId,
    candidate_number: number,
  });

export const activityQuery = (slug: string, optimizationId: string) =>
  pages(`${OPTIMIZATION}/activity`, {
    project: slug,
    optimization_id: optimizationId,
    query: { limit: 12 },
  });

/** Values for the form, read once: later changes do not replace what is being edited. */
export const draftQuery = (slug: string, source: FormSource) =>
  query(
    `${OPTIMIZATIONS}/draft`,
    {
      project: slug,
      query: {
        prompt_id: source.prompt,
        run_id: source.run,
        experiment_id: source.experiment,
        optimization_id: source.from,
      },
    },
    { family: "optimization-drafts", gcTime: 0, staleTime: Infinity },
  );

/** Null while something is missing. */
export const estimateQuery = (slug: string, config: OptimizationConfig | null) =>
  ask(
    `${OPTIMIZATIONS}/estimate`,
    { project: slug, body: config ?? ({} as OptimizationConfig) },
    { enabled: config !== null, retry: false, gcTime: 60_000, keepPrevious: true },
  );

/** Address of the report as a file. */
export function reportAddress(slug: string, optimizationId: string, format: "pdf" | "md"): string {
  const project = encodeURIComponent(slug);
  return `/api/v1/projects/${project}/optimizations/${optimizationId}/report/export?format=${format}`;
}
