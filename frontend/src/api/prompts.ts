import { allPages, ask, pages, query } from "./queries";
import { send } from "./request";
import type { DraftBody, DraftChange, PromptKind, ToolBody } from "./types";

const PAGE_SIZE = 50;

export interface PromptFilters {
  q?: string | undefined;
  kind?: PromptKind | undefined;
  status?: "archived" | "all" | undefined;
}

export const promptsQuery = (slug: string, filters: PromptFilters) =>
  pages(
    "/projects/{project}/prompts",
    { project: slug, query: { ...filters, limit: PAGE_SIZE } },
    { keepPrevious: true },
  );

/** All active prompts, for pickers. */
export const promptChoicesQuery = (slug: string) =>
  allPages("/projects/{project}/prompts", { project: slug });

/** Versions are immutable. */
export const versionQuery = (slug: string, promptId: string, versionId: string) =>
  query(
    "/projects/{project}/prompts/{prompt_id}/versions/{version_id}",
    { project: slug, prompt_id: promptId, version_id: versionId },
    { staleTime: Infinity },
  );

export const promptQuery = (slug: string, promptId: string) =>
  query("/projects/{project}/prompts/{prompt_id}", { project: slug, prompt_id: promptId });

export function sendDraft(slug: string, promptId: string, body: DraftChange) {
  return send("put", "/projects/{project}/prompts/{prompt_id}/draft", {
    project: slug,
    prompt_id: promptId,
    body,
  });
}

/** Contents that are not saved, rendered by the server. */
export const contentPreviewQuery = (
  slug: string,
  body: DraftBody & { inputs: Record<string, unknown> },
) =>
  ask(
    "/projects/{project}/prompts/preview",
    { project: slug, body },
    { gcTime: 60_000, keepPrevious: true },
  );

export interface Conversation {
  system: string | null;
  messages: readonly { role: "user" | "assistant"; text: string }[];
  tools: readonly ToolBody[];
}

export const tokenCountQuery = (slug: string, modelId: string, wanted: Conversation) =>
  ask(
    "/projects/{project}/models/{model_id}/count-tokens",
    {
      project: slug,
      model_id: modelId,
      body: {
        system: wanted.system,
        messages: [...wanted.messages],
        tools: [...wanted.tools],
      },
    },
    { staleTime: Infinity, gcTime: 60_000, keepPrevious: true },
  );
