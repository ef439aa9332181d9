import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "./client";
import { keys } from "./keys";
import { cursorPaging, flattenPages, LARGEST_PAGE, readAllPages } from "./pages";
import { useRefreshingMutation } from "./refreshing-mutation";
import type { DraftChange, PromptKind, PromptRequest, ToolBody } from "./types";

const PAGE_SIZE = 50;

export interface PromptFilters {
  q?: string | undefined;
  kind?: PromptKind | undefined;
  status?: "archived" | "all" | undefined;
}

export const promptsQuery = (slug: string, filters: PromptFilters) =>
  infiniteQueryOptions({
    queryKey: keys.promptList(slug, filters),
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/prompts", {
          signal,
          params: {
            path: { project: slug },
            query: {
              limit: PAGE_SIZE,
              ...(filters.q === undefined ? {} : { q: filters.q }),
              ...(filters.kind === undefined ? {} : { kind: filters.kind }),
              ...(filters.status === undefined ? {} : { status: filters.status }),
              ...(pageParam === null ? {} : { cursor: pageParam }),
            },
          },
        }),
      ),
    ...cursorPaging,
    select: flattenPages,
    placeholderData: keepPreviousData,
  });

/** All prompts that are in use, to choose among them. */
export const promptChoicesQuery = (slug: string) =>
  queryOptions({
    queryKey: keys.promptChoices(slug),
    queryFn: ({ signal }) =>
      readAllPages((cursor) =>
        unwrap(
          api.GET("/api/v1/projects/{project}/prompts", {
            signal,
            params: { path: { project: slug }, query: { limit: LARGEST_PAGE, ...cursor } },
          }),
        ),
      ),
  });

/** A version never changes. */
export const versionQuery = (slug: string, promptId: string, versionId: string) =>
  queryOptions({
    queryKey: [...keys.promptVersions(slug, promptId), versionId],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/prompts/{prompt_id}/versions/{version_id}", {
          signal,
          params: { path: { project: slug, prompt_id: promptId, version_id: versionId } },
        }),
      ),
    staleTime: Infinity,
  });

export const promptQuery = (slug: string, promptId: string) =>
  queryOptions({
    queryKey: keys.prompt(slug, promptId),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/prompts/{prompt_id}", {
          signal,
          params: { path: { project: slug, prompt_id: promptId } },
        }),
      ),
  });

/** A change of prompts, after which everything that shows prompts is read again. */
export function usePromptMutation<V, R>(slug: string, mutationFn: (variables: V) => Promise<R>) {
  return useRefreshingMutation([keys.prompts(slug), keys.audit(slug)], mutationFn);
}

export function useCreatePrompt(slug: string) {
  return usePromptMutation(slug, (body: PromptRequest) =>
    unwrap(
      api.POST("/api/v1/projects/{project}/prompts", { params: { path: { project: slug } }, body }),
    ),
  );
}

export function useRenamePrompt(slug: string) {
  return usePromptMutation(slug, ({ promptId, name }: { promptId: string; name: string }) =>
    unwrap(
      api.PATCH("/api/v1/projects/{project}/prompts/{prompt_id}", {
        params: { path: { project: slug, prompt_id: promptId } },
        body: { name },
      }),
    ),
  );
}

export function sendDraft(slug: string, promptId: string, body: DraftChange) {
  return unwrap(
    api.PUT("/api/v1/projects/{project}/prompts/{prompt_id}/draft", {
      params: { path: { project: slug, prompt_id: promptId } },
      body,
    }),
  );
}

export interface Conversation {
  system: string | null;
  messages: readonly { role: "user" | "assistant"; text: string }[];
  tools: readonly ToolBody[];
}

export const tokenCountQuery = (slug: string, modelId: string, wanted: Conversation) =>
  queryOptions({
    queryKey: keys.tokenCount(slug, modelId, wanted),
    queryFn: ({ signal }) =>
      unwrap(
        api.POST("/api/v1/projects/{project}/models/{model_id}/count-tokens", {
          signal,
          params: { path: { project: slug, model_id: modelId } },
          body: {
            system: wanted.system,
            messages: [...wanted.messages],
            tools: [...wanted.tools],
          },
        }),
      ),
    staleTime: Infinity,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
  });
