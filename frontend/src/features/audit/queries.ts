import { pages } from "@/api/queries";

const PAGE_SIZE = 50;

export const OUTCOMES = ["allowed", "denied"] as const;

export interface AuditFilters {
  q?: string | undefined;
  action?: string | undefined;
  actor?: string | undefined;
  entity_type?: string | undefined;
  outcome?: (typeof OUTCOMES)[number] | undefined;
  /** Days as entered, in local time. */
  since?: string | undefined;
  until?: string | undefined;
}

/** Filters as API parameters: without empty ones, local days as timestamps. */
export function toQuery(filters: AuditFilters): Record<string, string> {
  const { since, until, ...rest } = filters;
  const query: Record<string, string> = {};
  for (const [name, value] of Object.entries(rest)) {
    if (value !== undefined && value !== "") {
      query[name] = value;
    }
  }
  if (since) {
    query.since = new Date(`${since}T00:00:00`).toISOString();
  }
  if (until) {
    query.until = new Date(`${until}T23:59:59.999`).toISOString();
  }
  return query;
}

export const auditQuery = (slug: string, filters: AuditFilters) =>
  pages("/projects/{project}/audit", {
    project: slug,
    query: { ...toQuery(filters), limit: PAGE_SIZE },
  });

export type ExportFormat = "csv" | "jsonl";

/** Download URL; the browser sends the session cookie. */
export function exportAddress(slug: string, filters: AuditFilters, format: ExportFormat): string {
  const query = new URLSearchParams({ ...toQuery(filters), format });
  return `/api/v1/projects/${encodeURIComponent(slug)}/audit/export?${query.toString()}`;
}
