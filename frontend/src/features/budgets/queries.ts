import { infiniteQueryOptions } from "@tanstack/react-query";
import { allPages, pages, query } from "@/api/queries";
import { definedOnly } from "@/lib/search";
import type { BudgetView, LedgerFilters, SpendingBy, SpendingDays } from "./view";

const PAGE_SIZE = 50;
// Spending has no event per call, so open pages are polled.
const FAST_POLLING = { refetchInterval: 10_000 };
const SLOW_POLLING = { refetchInterval: 30_000 };
/** The ledger is invalidated together with the budgets. */
const LEDGER = { family: "budgets" };
const SORTS = { oldest: "created_at", dearest: "-cost" } as const;

export const budgetsQuery = (slug: string) =>
  allPages("/projects/{project}/budgets", { project: slug }, FAST_POLLING);

export const budgetStateQuery = (slug: string) =>
  query("/projects/{project}/budgets/state", { project: slug }, SLOW_POLLING);

export const burnDownQuery = (slug: string, budgetId: string) =>
  query(
    "/projects/{project}/budgets/{budget_id}/burn-down",
    { project: slug, budget_id: budgetId },
    { ...SLOW_POLLING, keepPrevious: true },
  );

export const spendingQuery = (slug: string, by: SpendingBy, days: SpendingDays) =>
  query(
    "/projects/{project}/budgets/spending",
    { project: slug, query: { by, days: Number(days) } },
    { ...SLOW_POLLING, keepPrevious: true },
  );

export const ledgerQuery = (slug: string, filters: LedgerFilters, sort: BudgetView["sort"]) =>
  infiniteQueryOptions({
    ...pages(
      "/projects/{project}/ledger",
      {
        project: slug,
        query: { ...filters, limit: PAGE_SIZE, sort: sort === undefined ? undefined : SORTS[sort] },
      },
      { ...LEDGER, keepPrevious: true },
    ),
    // No polling after "Load more": a list growing at the top would shift the scroll position.
    refetchInterval: ({ state }) =>
      (state.data?.pages.length ?? 0) > 1 ? false : SLOW_POLLING.refetchInterval,
  });

export const totalsQuery = (slug: string, filters: LedgerFilters) =>
  query(
    "/projects/{project}/ledger/totals",
    { project: slug, query: { ...filters } },
    { ...LEDGER, ...SLOW_POLLING, keepPrevious: true },
  );

export const facetsQuery = (slug: string) =>
  query("/projects/{project}/ledger/facets", { project: slug }, LEDGER);

/** Download URL; the browser sends the session cookie. */
export function exportAddress(slug: string, filters: LedgerFilters): string {
  const query = new URLSearchParams({ ...definedOnly(filters), format: "csv" });
  return `/api/v1/projects/${encodeURIComponent(slug)}/ledger/export?${query.toString()}`;
}
