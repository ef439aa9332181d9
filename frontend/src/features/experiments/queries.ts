import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { experimentQuery } from "@/api/experiments";
import { keys, listsOf } from "@/api/keys";
import { LARGEST_PAGE } from "@/api/pages";
import { pages, query } from "@/api/queries";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import { send } from "@/api/request";
import type { Experiment, ExperimentState } from "@/api/types";
import type { ExperimentFilters } from "./experiment-view";

const PAGE_SIZE = 50;
/** Refreshed by events; polled in case events do not arrive. Milliseconds. */
const POLL_EVERY = 10_000;
const EXPERIMENT = "/projects/{project}/experiments/{experiment_id}";

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

/** Puts the returned experiment into the cache and invalidates other queries that show it. */
function useExperimentMutation<V>(slug: string, mutationFn: (variables: V) => Promise<Experiment>) {
  return useRefreshingMutation([keys.experiments(slug)], mutationFn, {
    keep: (queryClient, experiment) => {
      queryClient.setQueryData(experimentQuery(slug, experiment.id).queryKey, experiment);
    },
  });
}

export function useRenameExperiment(slug: string) {
  return useExperimentMutation(slug, ({ id, name }: { id: string; name: string }) =>
    send("patch", EXPERIMENT, { ...at(slug, id), body: { name } }),
  );
}

export function useDuplicateExperiment(slug: string) {
  return useExperimentMutation(slug, (id: string) =>
    send("post", `${EXPERIMENT}/duplicate`, { ...at(slug, id), body: {} }),
  );
}

export function useArchiveExperiment(slug: string) {
  return useExperimentMutation(slug, ({ id, archive }: { id: string; archive: boolean }) =>
    send("post", `${EXPERIMENT}/${archive ? "archive" : "unarchive"}`, at(slug, id)),
  );
}

export function useFinishExperiment(slug: string) {
  return useExperimentMutation(slug, (id: string) =>
    send("post", `${EXPERIMENT}/finish`, at(slug, id)),
  );
}

/** Invalidates only lists: the deleted experiment must not be refetched. */
export function useDeleteExperiment(slug: string) {
  return useRefreshingMutation([listsOf(keys.experiments(slug))], (id: string) =>
    send("delete", EXPERIMENT, at(slug, id)),
  );
}

export function useStartIteration(slug: string, experimentId: string) {
  return useRefreshingMutation(
    [keys.experiments(slug)],
    () => send("post", `${EXPERIMENT}/iterations`, { ...at(slug, experimentId), body: {} }),
    { always: true },
  );
}

export const REPORT_FORMATS = ["pdf", "md", "csv", "txt", "zip"] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

export function reportAddress(slug: string, experimentId: string, format: ReportFormat): string {
  const path = `/api/v1/projects/${encodeURIComponent(slug)}/experiments/${experimentId}`;
  return `${path}/report/export?format=${format}`;
}
