import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import { cursorPaging, flattenPages } from "@/api/pages";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import type { CriterionBody, Rubric, RubricRequest, RubricSaved } from "@/api/types";
import { definedOnly } from "@/lib/search";
import type { ScorerFilters, Sides } from "./queries";

const PAGE_SIZE = 50;

export type RubricFilters = Pick<ScorerFilters, "q" | "status">;

export const rubricsQuery = (slug: string, filters: RubricFilters) =>
  infiniteQueryOptions({
    queryKey: keys.rubricList(slug, filters),
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/rubrics", {
          signal,
          params: {
            path: { project: slug },
            query: {
              limit: PAGE_SIZE,
              ...definedOnly({
                q: filters.q,
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

export const rubricVersionsQuery = (slug: string, rubricId: string) =>
  infiniteQueryOptions({
    queryKey: keys.rubricPart(slug, rubricId, "versions"),
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/rubrics/{rubric_id}/versions", {
          signal,
          params: {
            path: { project: slug, rubric_id: rubricId },
            query: { limit: PAGE_SIZE, ...(pageParam === null ? {} : { cursor: pageParam }) },
          },
        }),
      ),
    ...cursorPaging,
    select: flattenPages,
  });

export const rubricChangesQuery = (slug: string, rubricId: string, sides: Sides) =>
  queryOptions({
    queryKey: keys.rubricPart(slug, rubricId, "diff", sides),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/rubrics/{rubric_id}/diff", {
          signal,
          params: { path: { project: slug, rubric_id: rubricId }, query: sides },
        }),
      ),
    staleTime: Infinity,
  });

export const rubricPreviewQuery = (slug: string, criteria: readonly CriterionBody[]) =>
  queryOptions({
    queryKey: keys.rubricPreview(slug, criteria),
    queryFn: ({ signal }) =>
      unwrap(
        api.POST("/api/v1/projects/{project}/rubrics/preview", {
          signal,
          params: { path: { project: slug } },
          body: { criteria: [...criteria], goal: "" },
        }),
      ),
    staleTime: Infinity,
    gcTime: 60_000,
    retry: false,
  });

function useRubricMutation<V, R>(slug: string, mutationFn: (variables: V) => Promise<R>) {
  return useRefreshingMutation(
    [keys.rubrics(slug), keys.scorers(slug), keys.audit(slug)],
    mutationFn,
  );
}

export function useCreateRubric(slug: string) {
  return useRubricMutation(slug, (body: RubricRequest) =>
    unwrap(
      api.POST("/api/v1/projects/{project}/rubrics", { params: { path: { project: slug } }, body }),
    ),
  );
}

export interface RubricChange {
  rubricId: string;
  /** Name and description, when they changed. */
  named: { name: string; description: string | null } | null;
  /** The criteria, when they changed: they make a version. */
  content: { criteria: CriterionBody[]; based_on: number } | null;
}

/** What there is to know about what was saved. */
export function useSaveRubric(slug: string) {
  return useRubricMutation(
    slug,
    async ({ rubricId, named, content }: RubricChange): Promise<RubricSaved["notices"]> => {
      const params = { params: { path: { project: slug, rubric_id: rubricId } } };
      const saved =
        content === null
          ? null
          : await unwrap(
              api.POST("/api/v1/projects/{project}/rubrics/{rubric_id}/versions", {
                ...params,
                body: content,
              }),
            );
      if (named !== null) {
        await unwrap(
          api.PATCH("/api/v1/projects/{project}/rubrics/{rubric_id}", { ...params, body: named }),
        );
      }
      return saved?.notices ?? [];
    },
  );
}

export function useDuplicateRubric(slug: string) {
  return useRubricMutation(slug, (rubricId: string) =>
    unwrap(
      api.POST("/api/v1/projects/{project}/rubrics/{rubric_id}/duplicate", {
        params: { path: { project: slug, rubric_id: rubricId } },
        body: {},
      }),
    ),
  );
}

export function useArchiveRubric(slug: string) {
  return useRubricMutation(
    slug,
    ({ id, archive }: { id: string; archive: boolean }): Promise<Rubric> => {
      const params = { params: { path: { project: slug, rubric_id: id } } };
      return archive
        ? unwrap(api.POST("/api/v1/projects/{project}/rubrics/{rubric_id}/archive", params))
        : unwrap(api.POST("/api/v1/projects/{project}/rubrics/{rubric_id}/unarchive", params));
    },
  );
}

export function useDeleteRubric(slug: string) {
  return useRefreshingMutation(
    ["list", "choices"].map((part) => [...keys.rubrics(slug), part]),
    (rubricId: string) =>
      unwrap(
        api.DELETE("/api/v1/projects/{project}/rubrics/{rubric_id}", {
          params: { path: { project: slug, rubric_id: rubricId } },
        }),
      ),
  );
}
