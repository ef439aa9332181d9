import { definedOnly } from "@/lib/search";

export const EXPORT_FORMATS = ["csv", "json", "jsonl", "junit"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Filters of the rows to export. */
export interface ExportFilters {
  status?: string | undefined;
  q?: string | undefined;
  minScore?: number | undefined;
  maxScore?: number | undefined;
}

/** Download URL of a run's answers, with the filters of the page. */
export function exportAddress(
  slug: string,
  runId: string,
  format: ExportFormat,
  { status, q, minScore, maxScore }: ExportFilters,
): string {
  const wanted = definedOnly({ format, status, q, min_score: minScore, max_score: maxScore });
  const query = new URLSearchParams(
    Object.entries(wanted).map(([name, value]) => [name, String(value)]),
  );
  return `/api/v1/projects/${encodeURIComponent(slug)}/runs/${runId}/export?${query.toString()}`;
}
