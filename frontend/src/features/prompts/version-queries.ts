import { pages, query } from "@/api/queries";

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
