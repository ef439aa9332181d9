import { queryOptions } from "@tanstack/react-query";
import { caseChoicesQuery } from "@/api/case-choices";
import { pages, query } from "@/api/queries";

const HISTORY_PAGE = 30;
const ORIGIN = "playground";

/** Newest playground run of the project, shown to first-time visitors. */
export const newestRunQuery = (slug: string) =>
  queryOptions({
    ...query("/projects/{project}/runs", { project: slug, query: { origin: ORIGIN, limit: 1 } }),
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
