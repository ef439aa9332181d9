import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "./client";
import { keys } from "./keys";

const POLL_EVERY = 5000;

export const resultsQuery = (slug: string, runId: string) =>
  queryOptions({
    queryKey: keys.runResults(slug, runId),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/runs/{run_id}/summary", {
          signal,
          params: { path: { project: slug, run_id: runId } },
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.is_final === false ? POLL_EVERY : false),
  });
