import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { ask, pages, query } from "@/api/queries";
import type { AbTestConfig } from "@/api/types";
import type { AbTestFilters, AnswerFilters } from "./ab-test-view";

const PAGE_SIZE = 50;
/** Refreshed by events; polled in case events do not arrive. Milliseconds. */
const POLL_EVERY = 10_000;
export const AB_TEST = "/projects/{project}/ab-tests/{ab_test_id}";

export const abTestsQuery = (slug: string, filters: AbTestFilters) =>
  infiniteQueryOptions({
    ...pages(
      "/projects/{project}/ab-tests",
      { project: slug, query: { ...filters, limit: PAGE_SIZE } },
      { keepPrevious: true },
    ),
  });

export const abTestQuery = (slug: string, testId: string) =>
  queryOptions({
    ...query(AB_TEST, { project: slug, ab_test_id: testId }),
    refetchInterval: ({ state }) => (state.data?.state === "running" ? POLL_EVERY : false),
  });

export const answersQuery = (slug: string, testId: string, filters: AnswerFilters) =>
  infiniteQueryOptions({
    ...pages(
      `${AB_TEST}/answers`,
      { project: slug, ab_test_id: testId, query: { ...filters, limit: PAGE_SIZE } },
      { keepPrevious: true },
    ),
  });

/** Null while something is missing. */
export const estimateQuery = (slug: string, plan: AbTestConfig | null) =>
  ask(
    "/projects/{project}/ab-tests/estimate",
    { project: slug, body: plan ?? ({} as AbTestConfig) },
    { enabled: plan !== null, retry: false, gcTime: 60_000, keepPrevious: true },
  );
