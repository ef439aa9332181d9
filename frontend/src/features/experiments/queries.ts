import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { LARGEST_PAGE } from "@/api/pages";
import { pages, query } from "@/api/queries";
import type { ExperimentState } from "@/api/types";
import type { ExperimentFilters } from "./experiment-view";

const PAGE_SIZE = 50;
/** Refreshed by events; polled in case events do not arrive. Milliseconds. */
const POLL_EVERY = 10_000;
export const EXPERIMENT = "/projects/{project}/experiments/{experiment_id}";

export function isWorking(state: ExperimentState): boolean {
  return state === "running";
}

export const experimentsQuery = (slug: string, filters: ExperimentFilters) =>
  infiniteQueryOptions({
    ...pages(
      "/projects/{project}/experiments",
      { project: slug, query: { ...filters, limit: PAGE_SIZE } },
      { keepPrevious: true },
    ),
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.items.some(({ state }) => isWorking(state))) === true
        ? POLL_EVERY
        : false,
  });

/** Experiments on the project's home page. */
const RECENT = 4;

export const recentExperimentsQuery = (slug: string) =>
  queryOptions({
    ...query("/projects/{project}/experiments", { project: slug, query: { limit: RECENT } }),
    select: ({ items }) => items,
  });

/** Experiments to compare with: the last changed, including archived ones. */
export const experimentChoicesQuery = (slug: string) =>
  queryOptions({
    ...query("/projects/{project}/experiments", {
      project: slug,
      query: { status: "all", limit: LARGEST_PAGE },
    }),
    select: ({ items }) => items,
  });

const at = (slug: string, experimentId: string) => ({
  project: slug,
  experiment_id: experimentId,
});

export const readinessQuery = (slug: string, experimentId: string) =>
  query(`${EXPERIMENT}/readiness`, at(slug, experimentId));

export const activityQuery = (slug: string, experimentId: string) =>
  query(`${EXPERIMENT}/activity`, at(slug, experimentId));

export const reportQuery = (slug: string, experimentId: string) =>
  query(`${EXPERIMENT}/report`, at(slug, experimentId));

export const comparisonQuery = (slug: string, experimentId: string, otherId: string) =>
  query(`${EXPERIMENT}/compare/{other_experiment_id}`, {
    ...at(slug, experimentId),
    other_experiment_id: otherId,
  });

export const REPORT_FORMATS = ["pdf", "md", "csv", "txt"] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

export function reportAddress(slug: string, experimentId: string, format: ReportFormat): string {
  const path = `/api/v1/projects/${encodeURIComponent(slug)}/experiments/${experimentId}`;
  return `${path}/report/export?format=${format}`;
}
