import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import { cursorPaging, flattenPages } from "@/api/pages";

const PAGE_SIZE = 100;

export const versionsQuery = (slug: string, promptId: string) =>
  infiniteQueryOptions({
    queryKey: keys.promptVersions(slug, promptId),
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/prompts/{prompt_id}/versions", {
          signal,
          params: {
            path: { project: slug, prompt_id: promptId },
            query: { limit: PAGE_SIZE, ...(pageParam === null ? {} : { cursor: pageParam }) },
          },
        }),
      ),
    ...cursorPaging,
    select: flattenPages,
  });

export const DRAFT = "draft";

export interface Comparison {
  /** Ids of versions, or `DRAFT`. */
  from: string;
  to: string;
  /** Versions never change, but the draft does. */
  draftVersion: number;
}

export const diffQuery = (slug: string, promptId: string, wanted: Comparison) =>
  queryOptions({
    queryKey: keys.promptDiff(slug, promptId, wanted),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/prompts/{prompt_id}/diff", {
          signal,
          params: {
            path: { project: slug, prompt_id: promptId },
            query: { from: wanted.from, to: wanted.to },
          },
        }),
      ),
  });

function useVersionMutation<V, R>(slug: string, mutationFn: (variables: V) => Promise<R>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: () =>
      Promise.all(
        [keys.prompts(slug), keys.audit(slug)].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      ),
  });
}

export function useSaveVersion(slug: string, promptId: string) {
  return useVersionMutation(slug, (body: { version: number; changelog: string }) =>
    unwrap(
      api.POST("/api/v1/projects/{project}/prompts/{prompt_id}/versions", {
        params: { path: { project: slug, prompt_id: promptId } },
        body,
      }),
    ),
  );
}

export function useRestoreVersion(slug: string, promptId: string) {
  return useVersionMutation(
    slug,
    ({ versionId, draftVersion }: { versionId: string; draftVersion: number }) =>
      unwrap(
        api.POST("/api/v1/projects/{project}/prompts/{prompt_id}/versions/{version_id}/restore", {
          params: { path: { project: slug, prompt_id: promptId, version_id: versionId } },
          body: { version: draftVersion },
        }),
      ),
  );
}

/** Null takes the mark away. */
export function useMarkProduction(slug: string, promptId: string) {
  return useVersionMutation(slug, (versionId: string | null) =>
    unwrap(
      api.PUT("/api/v1/projects/{project}/prompts/{prompt_id}/production", {
        params: { path: { project: slug, prompt_id: promptId } },
        body: { version_id: versionId },
      }),
    ),
  );
}
