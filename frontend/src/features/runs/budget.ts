import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import { LARGEST_PAGE } from "@/api/pages";

/** The budget of the project that will be used up first; null when there is none. */
export const tightestBudgetQuery = (slug: string) =>
  queryOptions({
    queryKey: [...keys.budgets(slug), "tightest"],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/budgets", {
          signal,
          params: { path: { project: slug }, query: { limit: LARGEST_PAGE } },
        }),
      ),
    select: ({ items }) =>
      items
        .filter((budget) => budget.scope === "project")
        .map((budget) => ({
          ...budget,
          left: Math.max(
            0,
            Number(budget.limit_usd) - Number(budget.spent_usd) - Number(budget.reserved_usd),
          ),
        }))
        .sort((one, other) => one.left - other.left)[0] ?? null,
    refetchInterval: 10_000,
  });
