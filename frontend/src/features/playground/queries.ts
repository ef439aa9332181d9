import { queryOptions } from "@tanstack/react-query";
import { caseChoicesQuery } from "@/api/case-choices";
import { pages, query } from "@/api/queries";

const HISTORY_PAGE = 30;
const ORIGIN = "playground";

/** Newest playground run of the project or of a prompt, shown to those who have none of their own. */
export const newestRunQuery = (slug: string, promptId: string | undefined) =>
  queryOptions({
    ...query("/projects/{project}/runs", {
      project: slug,
      query: { origin: ORIGIN, prompt_id: promptId, limit: 1 },
    }),
    select: (page) => page.items[0] ?? null,
  });

export const historyQuery = (slug: string) =>
  pages("/projects/{project}/runs", {
    project: slug,
    query: { origin: ORIGIN, limit: HISTORY_PAGE },
  });

export const PREVIEW_ROWS = 50;

export const previewCasesQuery = (slug: string, datasetId: string) =>
  caseChoicesQuery(slug, datasetId, PREVIEW_ROWS);
