import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import { cursorPaging, flattenPages, LARGEST_PAGE, readAllPages } from "@/api/pages";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import type { BudgetChange, BudgetRequest, SettleRequest, VoidRequest } from "@/api/types";
import { definedOnly } from "@/lib/search";
import type { BudgetView, LedgerFilters, SpendingBy, SpendingDays } from "./view";

const PAGE_SIZE = 50;
// Money is spent without an event for every call, so what is open is read again now and then.
const SOON = 10_000;
const NOW_AND_THEN = 30_000;
const SORTS = { oldest: "created_at", dearest: "-cost" } as const;

const path = (slug: string) => ({ path: { project: slug } });

export const budgetsQuery = (slug: string) =>
  queryOptions({
    queryKey: keys.budgetPart(slug, "list"),
    queryFn: ({ signal }) =>
      readAllPages((cursor) =>
        unwrap(
          api.GET("/api/v1/projects/{project}/budgets", {
            signal,
            params: { ...path(slug), query: { limit: LARGEST_PAGE, ...cursor } },
          }),
        ),
      ),
    refetchInterval: SOON,
  });

export const budgetStateQuery = (slug: string) =>
  queryOptions({
    queryKey: keys.budgetPart(slug, "state"),
    queryFn: ({ signal }) =>
      unwrap(api.GET("/api/v1/projects/{project}/budgets/state", { signal, params: path(slug) })),
    refetchInterval: NOW_AND_THEN,
  });

export const burnDownQuery = (slug: string, budgetId: string) =>
  queryOptions({
    queryKey: keys.budgetPart(slug, "burn-down", { budgetId }),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/budgets/{budget_id}/burn-down", {
          signal,
          params: { path: { project: slug, budget_id: budgetId } },
        }),
      ),
    refetchInterval: NOW_AND_THEN,
  });

export const spendingQuery = (slug: string, by: SpendingBy, days: SpendingDays) =>
  queryOptions({
    queryKey: keys.budgetPart(slug, "spending", { by, days }),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/budgets/spending", {
          signal,
          params: { ...path(slug), query: { by, days: Number(days) } },
        }),
      ),
    refetchInterval: NOW_AND_THEN,
  });

export const ledgerQuery = (slug: string, filters: LedgerFilters, sort: BudgetView["sort"]) =>
  infiniteQueryOptions({
    queryKey: keys.budgetPart(slug, "ledger", { ...filters, sort }),
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/ledger", {
          signal,
          params: {
            ...path(slug),
            query: {
              ...definedOnly(filters),
              limit: PAGE_SIZE,
              ...(sort === undefined ? {} : { sort: SORTS[sort] }),
              ...(pageParam === null ? {} : { cursor: pageParam }),
            },
          },
        }),
      ),
    ...cursorPaging,
    select: flattenPages,
    // Whoever has read on is not moved back by a list that grows above.
    refetchInterval: (query) => ((query.state.data?.pages.length ?? 0) > 1 ? false : NOW_AND_THEN),
  });

export const totalsQuery = (slug: string, filters: LedgerFilters) =>
  queryOptions({
    queryKey: keys.budgetPart(slug, "totals", filters),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/ledger/totals", {
          signal,
          params: { ...path(slug), query: definedOnly(filters) },
        }),
      ),
    refetchInterval: NOW_AND_THEN,
  });

export const facetsQuery = (slug: string) =>
  queryOptions({
    queryKey: keys.budgetPart(slug, "facets"),
    queryFn: ({ signal }) =>
      unwrap(api.GET("/api/v1/projects/{project}/ledger/facets", { signal, params: path(slug) })),
  });

/** A plain address: the browser downloads it with the session's cookie. */
export function exportAddress(slug: string, filters: LedgerFilters): string {
  const query = new URLSearchParams({ ...definedOnly(filters), format: "csv" });
  return `/api/v1/projects/${encodeURIComponent(slug)}/ledger/export?${query.toString()}`;
}

function useBudgetMutation<V, R>(slug: string, mutationFn: (variables: V) => Promise<R>) {
  return useRefreshingMutation([keys.budgets(slug), keys.audit(slug)], mutationFn);
}

export function useCreateBudget(slug: string) {
  return useBudgetMutation(slug, (body: BudgetRequest) =>
    unwrap(api.POST("/api/v1/projects/{project}/budgets", { params: path(slug), body })),
  );
}

export function useChangeBudget(slug: string, budgetId: string) {
  return useBudgetMutation(slug, (body: BudgetChange) =>
    unwrap(
      api.PATCH("/api/v1/projects/{project}/budgets/{budget_id}", {
        params: { path: { project: slug, budget_id: budgetId } },
        body,
      }),
    ),
  );
}

export function useDeleteBudget(slug: string) {
  return useBudgetMutation(slug, (budgetId: string) =>
    unwrap(
      api.DELETE("/api/v1/projects/{project}/budgets/{budget_id}", {
        params: { path: { project: slug, budget_id: budgetId } },
      }),
    ),
  );
}

/** With an amount the charge is settled, without one it is voided. */
export function useResolveCharge(slug: string, entryId: string) {
  const params = { path: { project: slug, entry_id: entryId } };
  return useRefreshingMutation(
    [keys.budgets(slug), keys.runs(slug), keys.audit(slug)],
    (body: SettleRequest | VoidRequest) =>
      "amount_usd" in body
        ? unwrap(api.POST("/api/v1/projects/{project}/ledger/{entry_id}/settle", { params, body }))
        : unwrap(api.POST("/api/v1/projects/{project}/ledger/{entry_id}/void", { params, body })),
  );
}
