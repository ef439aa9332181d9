import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { LARGEST_PAGE } from "@/api/pages";
import { pages, query } from "@/api/queries";
import type { AbTestFilters } from "./ab-test-view";

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

const all = (slug: string) => ({ project: slug, query: { limit: LARGEST_PAGE } });

export const promptChoicesQuery = (slug: string) => query("/projects/{project}/prompts", all(slug));

export const versionChoicesQuery = (slug: string, promptId: string) =>
  query(
    "/projects/{project}/prompts/{prompt_id}/versions",
    { ...all(slug), prompt_id: promptId },
    { enabled: promptId !== "" },
  );

export const modelChoicesQuery = (slug: string) => query("/projects/{project}/models", all(slug));

export const datasetChoicesQuery = (slug: string) =>
  query("/projects/{project}/datasets", all(slug));

export const scorerChoicesQuery = (slug: string) => query("/projects/{project}/scorers", all(slug));
