import { queryOptions } from "@tanstack/react-query";
import { LARGEST_PAGE } from "@/api/pages";
import { allPages, pages, query } from "@/api/queries";
import type { AlertFilters } from "./alert-view";

const PAGE_SIZE = 50;
export const ALERT = "/projects/{project}/alerts/{alert_id}";

export const alertsQuery = (slug: string, filters: AlertFilters) =>
  pages(
    "/projects/{project}/alerts",
    {
      project: slug,
      query: {
        q: filters.q,
        state: filters.state === "all" ? undefined : (filters.state ?? "unresolved"),
        rule: filters.rule,
        severity: filters.severity,
        monitor_id: filters.monitor,
        limit: PAGE_SIZE,
      },
    },
    { keepPrevious: true },
  );

/** Unresolved alerts of a project, or of one of its monitors. */
export const unresolvedQuery = (slug: string, monitorId: string | undefined) =>
  queryOptions({
    ...query("/projects/{project}/alerts", {
      project: slug,
      query: { state: "unresolved", monitor_id: monitorId, limit: LARGEST_PAGE },
    }),
    select: ({ items }) => items,
  });

/** Number of alerts that are not acknowledged. */
export const openCountQuery = (slug: string) =>
  queryOptions({
    ...query("/projects/{project}/alerts", {
      project: slug,
      query: { state: "open", limit: 1 },
    }),
    select: (page) => page.total ?? page.items.length,
  });

/** Monitors to filter by. */
export const monitorChoicesQuery = (slug: string) =>
  allPages("/projects/{project}/monitors", { project: slug, query: { status: "all" } });
