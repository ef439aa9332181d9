import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import { cursorPaging, flattenPages } from "@/api/pages";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import type { CostClass, SavedScorer, SavedScorerRequest, ScorerVersionRequest } from "@/api/types";
import { definedOnly } from "@/lib/search";

const PAGE_SIZE = 50;

export interface ScorerFilters {
  q?: string | undefined;
  kind?: string | undefined;
  cost?: CostClass | undefined;
  status?: "archived" | "all" | undefined;
}

export const scorersQuery = (slug: string, filters: ScorerFilters) =>
  infiniteQueryOptions({
    queryKey: keys.scorerList(slug, filters),
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/scorers", {
          signal,
          params: {
            path: { project: slug },
            query: {
              limit: PAGE_SIZE,
              ...definedOnly({
                q: filters.q,
                kind: filters.kind,
                cost_class: filters.cost,
                status: filters.status,
                cursor: pageParam ?? undefined,
              }),
            },
          },
        }),
      ),
    ...cursorPaging,
    select: flattenPages,
    placeholderData: keepPreviousData,
  });

export const scorerQuery = (slug: string, scorerId: string) =>
  queryOptions({
    queryKey: keys.scorerPart(slug, scorerId, "detail"),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/scorers/{scorer_id}", {
          signal,
          params: { path: { project: slug, scorer_id: scorerId } },
        }),
      ),
  });

export const scorerVersionsQuery = (slug: string, scorerId: string) =>
  infiniteQueryOptions({
    queryKey: keys.scorerPart(slug, scorerId, "versions"),
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/scorers/{scorer_id}/versions", {
          signal,
          params: {
            path: { project: slug, scorer_id: scorerId },
            query: { limit: PAGE_SIZE, ...(pageParam === null ? {} : { cursor: pageParam }) },
          },
        }),
      ),
    ...cursorPaging,
    select: flattenPages,
  });

export interface Sides {
  from: string;
  to: string;
}

export const scorerChangesQuery = (slug: string, scorerId: string, sides: Sides) =>
  queryOptions({
    queryKey: keys.scorerPart(slug, scorerId, "diff", sides),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/scorers/{scorer_id}/diff", {
          signal,
          params: { path: { project: slug, scorer_id: scorerId }, query: sides },
        }),
      ),
    staleTime: Infinity,
  });

function useScorerMutation<V, R>(slug: string, mutationFn: (variables: V) => Promise<R>) {
  return useRefreshingMutation(
    [keys.scorers(slug), keys.rubrics(slug), keys.audit(slug)],
    mutationFn,
  );
}

export function useCreateScorer(slug: string) {
  return useScorerMutation(slug, (body: SavedScorerRequest) =>
    unwrap(
      api.POST("/api/v1/projects/{project}/scorers", { params: { path: { project: slug } }, body }),
    ),
  );
}

export interface ScorerChange {
  scorerId: string;
  /** Name and description, when they changed. */
  named: { name: string; description: string | null } | null;
  /** The settings, when they changed: they make a version. */
  settings: ScorerVersionRequest | null;
}

export function useSaveScorer(slug: string) {
  return useScorerMutation(slug, async ({ scorerId, named, settings }: ScorerChange) => {
    const params = { params: { path: { project: slug, scorer_id: scorerId } } };
    if (settings !== null) {
      await unwrap(
        api.POST("/api/v1/projects/{project}/scorers/{scorer_id}/versions", {
          ...params,
          body: settings,
        }),
      );
    }
    if (named !== null) {
      await unwrap(
        api.PATCH("/api/v1/projects/{project}/scorers/{scorer_id}", { ...params, body: named }),
      );
    }
  });
}

export function useDuplicateScorer(slug: string) {
  return useScorerMutation(slug, (scorerId: string) =>
    unwrap(
      api.POST("/api/v1/projects/{project}/scorers/{scorer_id}/duplicate", {
        params: { path: { project: slug, scorer_id: scorerId } },
        body: {},
      }),
    ),
  );
}

export function useArchiveScorer(slug: string) {
  return useScorerMutation(
    slug,
    ({ id, archive }: { id: string; archive: boolean }): Promise<SavedScorer> => {
      const params = { params: { path: { project: slug, scorer_id: id } } };
      return archive
        ? unwrap(api.POST("/api/v1/projects/{project}/scorers/{scorer_id}/archive", params))
        : unwrap(api.POST("/api/v1/projects/{project}/scorers/{scorer_id}/unarchive", params));
    },
  );
}

/** The page of the deleted scorer must not ask for it again: only lists are read anew. */
export function useDeleteScorer(slug: string) {
  return useRefreshingMutation(
    [[...keys.scorers(slug), "list"], keys.scorerChoices(slug), keys.rubrics(slug)],
    (scorerId: string) =>
      unwrap(
        api.DELETE("/api/v1/projects/{project}/scorers/{scorer_id}", {
          params: { path: { project: slug, scorer_id: scorerId } },
        }),
      ),
  );
}
