import { queryOptions } from "@tanstack/react-query";
import { caseChoicesQuery } from "@/api/case-choices";
import { pages, query } from "@/api/queries";
import { definedOnly } from "@/lib/search";
import type { GridFilters } from "./session";

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

/** Download URL of a run's answers, with the filters of the page. */
export function exportAddress(
  slug: string,
  runId: string,
  format: "csv" | "json",
  { status, q, minScore, maxScore }: GridFilters,
): string {
  const wanted = definedOnly({ format, status, q, min_score: minScore, max_score: maxScore });
  const query = new URLSearchParams(
    Object.entries(wanted).map(([name, value]) => [name, String(value)]),
  );
  return `/api/v1/projects/${encodeURIComponent(slug)}/runs/${runId}/export?${query.toString()}`;
}
