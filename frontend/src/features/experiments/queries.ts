import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import { cursorPaging, flattenPages, LARGEST_PAGE } from "@/api/pages";
import type { Experiment, ExperimentState } from "@/api/types";
import { definedOnly } from "@/lib/search";
import type { ExperimentFilters } from "./experiment-view";

const PAGE_SIZE = 50;
/** Events tell what changes; asking now and then helps where they do not arrive. */
const POLL_EVERY = 10_000;

export function isWorking(state: ExperimentState): boolean {
  return state === "running";
}

export const experimentsQuery = (slug: string, filters: ExperimentFilters) =>
  infiniteQueryOptions({
    queryKey: keys.experimentList(slug, filters),
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/experiments", {
          signal,
          params: {
            path: { project: slug },
            query: definedOnly({ ...filters, limit: PAGE_SIZE, cursor: pageParam ?? undefined }),
          },
        }),
      ),
    ...cursorPaging,
    select: flattenPages,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.items.some(({ state }) => isWorking(state))) === true
        ? POLL_EVERY
        : false,
  });

/** What an experiment can be compared with: those changed last, archived ones too. */
export const experimentChoicesQuery = (slug: string) =>
  queryOptions({
    queryKey: keys.experimentList(slug, { choices: true }),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/experiments", {
          signal,
          params: { path: { project: slug }, query: { status: "all", limit: LARGEST_PAGE } },
        }),
      ),
    select: ({ items }) => items,
  });

const at = (slug: string, experimentId: string) => ({
  params: { path: { project: slug, experiment_id: experimentId } },
});

export const readinessQuery = (slug: string, experimentId: string) =>
  queryOptions({
    queryKey: keys.experimentPart(slug, experimentId, "readiness"),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/experiments/{experiment_id}/readiness", {
          signal,
          ...at(slug, experimentId),
        }),
      ),
  });

export const activityQuery = (slug: string, experimentId: string) =>
  queryOptions({
    queryKey: keys.experimentPart(slug, experimentId, "activity"),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/experiments/{experiment_id}/activity", {
          signal,
          ...at(slug, experimentId),
        }),
      ),
  });

export const reportQuery = (slug: string, experimentId: string) =>
  queryOptions({
    queryKey: keys.experimentPart(slug, experimentId, "report"),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/experiments/{experiment_id}/report", {
          signal,
          ...at(slug, experimentId),
        }),
      ),
  });

export const comparisonQuery = (slug: string, experimentId: string, otherId: string) =>
  queryOptions({
    queryKey: keys.experimentPart(slug, experimentId, "comparison", { otherId }),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET(
          "/api/v1/projects/{project}/experiments/{experiment_id}/compare/{other_experiment_id}",
          {
            signal,
            params: {
              path: {
                project: slug,
                experiment_id: experimentId,
                other_experiment_id: otherId,
              },
            },
          },
        ),
      ),
  });

/** What comes back is the experiment as it is now; whatever else shows it is read again. */
function useExperimentMutation<V>(slug: string, mutationFn: (variables: V) => Promise<Experiment>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (experiment) => {
      queryClient.setQueryData(keys.experimentPart(slug, experiment.id, "detail"), experiment);
      return queryClient.invalidateQueries({ queryKey: keys.experiments(slug) });
    },
  });
}

export function useRenameExperiment(slug: string) {
  return useExperimentMutation(slug, ({ id, name }: { id: string; name: string }) =>
    unwrap(
      api.PATCH("/api/v1/projects/{project}/experiments/{experiment_id}", {
        ...at(slug, id),
        body: { name },
      }),
    ),
  );
}

export function useDuplicateExperiment(slug: string) {
  return useExperimentMutation(slug, (id: string) =>
    unwrap(
      api.POST("/api/v1/projects/{project}/experiments/{experiment_id}/duplicate", {
        ...at(slug, id),
        body: {},
      }),
    ),
  );
}

export function useArchiveExperiment(slug: string) {
  return useExperimentMutation(slug, ({ id, archive }: { id: string; archive: boolean }) =>
    archive
      ? unwrap(
          api.POST("/api/v1/projects/{project}/experiments/{experiment_id}/archive", at(slug, id)),
        )
      : unwrap(
          api.POST(
            "/api/v1/projects/{project}/experiments/{experiment_id}/unarchive",
            at(slug, id),
          ),
        ),
  );
}

export function useFinishExperiment(slug: string) {
  return useExperimentMutation(slug, (id: string) =>
    unwrap(api.POST("/api/v1/projects/{project}/experiments/{experiment_id}/finish", at(slug, id))),
  );
}

/** The page of the deleted experiment must not ask for it again: only lists are read anew. */
export function useDeleteExperiment(slug: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      unwrap(api.DELETE("/api/v1/projects/{project}/experiments/{experiment_id}", at(slug, id))),
    onSuccess: () =>
      queryClient.invalidateQueries({ queryKey: [...keys.experiments(slug), "list"] }),
  });
}

export function useStartIteration(slug: string, experimentId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/api/v1/projects/{project}/experiments/{experiment_id}/iterations", {
          ...at(slug, experimentId),
          body: {},
        }),
      ),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.experiments(slug) }),
  });
}

export const REPORT_FORMATS = ["pdf", "md", "csv", "txt", "zip"] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

export function reportAddress(slug: string, experimentId: string, format: ReportFormat): string {
  const path = `/api/v1/projects/${encodeURIComponent(slug)}/experiments/${experimentId}`;
  return `${path}/report/export?format=${format}`;
}
