import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import { usePromptMutation } from "@/api/prompts";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import type { Prompt } from "@/api/types";

export function useDuplicatePrompt(slug: string) {
  return usePromptMutation(slug, (promptId: string) =>
    unwrap(
      api.POST("/api/v1/projects/{project}/prompts/{prompt_id}/duplicate", {
        params: { path: { project: slug, prompt_id: promptId } },
        body: {},
      }),
    ),
  );
}

export function useArchivePrompt(slug: string) {
  return usePromptMutation(
    slug,
    ({ promptId, archive }: { promptId: string; archive: boolean }): Promise<Prompt> => {
      const params = { params: { path: { project: slug, prompt_id: promptId } } };
      return archive
        ? unwrap(api.POST("/api/v1/projects/{project}/prompts/{prompt_id}/archive", params))
        : unwrap(api.POST("/api/v1/projects/{project}/prompts/{prompt_id}/unarchive", params));
    },
  );
}

/** The page of the deleted prompt must not ask for it again: only lists are read anew. */
export function useDeletePrompt(slug: string) {
  return useRefreshingMutation(
    [[...keys.prompts(slug), "list"], keys.audit(slug)],
    (promptId: string) =>
      unwrap(
        api.DELETE("/api/v1/projects/{project}/prompts/{prompt_id}", {
          params: { path: { project: slug, prompt_id: promptId } },
        }),
      ),
  );
}

export interface Inputs {
  draftVersion: number;
  inputs: Readonly<Record<string, string>>;
}

export const previewQuery = (slug: string, promptId: string, wanted: Inputs) =>
  queryOptions({
    queryKey: keys.promptPreview(slug, promptId, wanted),
    queryFn: ({ signal }) =>
      unwrap(
        api.POST("/api/v1/projects/{project}/prompts/{prompt_id}/preview", {
          signal,
          params: { path: { project: slug, prompt_id: promptId } },
          body: { inputs: wanted.inputs },
        }),
      ),
    placeholderData: keepPreviousData,
  });
