import { queryOptions } from "@tanstack/react-query";
import { LARGEST_PAGE } from "@/api/pages";
import { query } from "@/api/queries";

/** The project budget with the least left; null when there is none. */
export const tightestBudgetQuery = (slug: string) =>
  queryOptions({
    ...query(
      "/projects/{project}/budgets",
      { project: slug, query: { limit: LARGEST_PAGE } },
      { refetchInterval: 10_000 },
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
  });
