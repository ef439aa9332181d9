import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import { cursorPaging, flattenPages } from "@/api/pages";
import { definedOnly } from "@/lib/search";

const CASES_AT_ONCE = 20;
const RUNS_TO_CHOOSE = 50;

/** Which variants are compared: those that belong together unless both are named. */
export interface VariantPair {
  baseline?: number | undefined;
  variant?: number | undefined;
}

const pathOf = (slug: string, runId: string, baselineId: string) => ({
  project: slug,
  run_id: baselineId,
  other_run_id: runId,
});

const pairOf = (pair: VariantPair) =>
  definedOnly({ baseline_variant: pair.baseline, variant: pair.variant });

export const comparisonQuery = (
  slug: string,
  runId: string,
  baselineId: string,
  pair: VariantPair,
) =>
  queryOptions({
    queryKey: keys.runComparison(slug, runId, baselineId, pair),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/runs/{run_id}/compare/{other_run_id}", {
          signal,
          params: { path: pathOf(slug, runId, baselineId), query: pairOf(pair) },
        }),
      ),
  });

export const deltasQuery = (slug: string, runId: string, baselineId: string, pair: VariantPair) =>
  infiniteQueryOptions({
    queryKey: [...keys.runComparison(slug, runId, baselineId, pair), "cases"],
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/runs/{run_id}/compare/{other_run_id}/cases", {
          signal,
          params: {
            path: pathOf(slug, runId, baselineId),
            query: {
              ...pairOf(pair),
              ...definedOnly({ limit: CASES_AT_ONCE, cursor: pageParam ?? undefined }),
            },
          },
        }),
      ),
    ...cursorPaging,
    select: flattenPages,
  });

/** Runs that may be compared with: the newest ones. */
export const otherRunsQuery = (slug: string) =>
  queryOptions({
    queryKey: keys.runList(slug, { limit: RUNS_TO_CHOOSE }),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/runs", {
          signal,
          params: { path: { project: slug }, query: { limit: RUNS_TO_CHOOSE } },
        }),
      ),
  });
