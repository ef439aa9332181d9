import { usePromptMutation } from "@/api/prompts";
import { pages, query } from "@/api/queries";
import { send } from "@/api/request";

const PAGE_SIZE = 100;

export const versionsQuery = (slug: string, promptId: string) =>
  pages("/projects/{project}/prompts/{prompt_id}/versions", {
    project: slug,
    prompt_id: promptId,
    query: { limit: PAGE_SIZE },
  });

export const DRAFT = "draft";

export interface Comparison {
  /** Version ids, or `DRAFT`. */
  from: string;
  to: string;
  /** Part of the key: versions are immutable, the draft is not. */
  draftVersion: number;
}

export const diffQuery = (slug: string, promptId: string, { from, to, draftVersion }: Comparison) =>
  query(
    "/projects/{project}/prompts/{prompt_id}/diff",
    { project: slug, prompt_id: promptId, query: { from, to } },
    { turn: draftVersion },
  );

export function useSaveVersion(slug: string, promptId: string) {
  return usePromptMutation(slug, (body: { version: number; changelog: string }) =>
    send("post", "/projects/{project}/prompts/{prompt_id}/versions", {
      project: slug,
      prompt_id: promptId,
      body,
    }),
  );
}

export function useRestoreVersion(slug: string, promptId: string) {
  return usePromptMutation(
    slug,
    ({ versionId, draftVersion }: { versionId: string; draftVersion: number }) =>
      send("post", "/projects/{project}/prompts/{prompt_id}/versions/{version_id}/restore", {
        project: slug,
        prompt_id: promptId,
        version_id: versionId,
        body: { version: draftVersion },
      }),
  );
}

/** Marks a version as production; null removes the mark. */
export function useMarkProduction(slug: string, promptId: string) {
  return usePromptMutation(slug, (versionId: string | null) =>
    send("put", "/projects/{project}/prompts/{prompt_id}/production", {
      project: slug,
      prompt_id: promptId,
      body: { version_id: versionId },
    }),
  );
}
