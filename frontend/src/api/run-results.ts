import { queryOptions } from "@tanstack/react-query";
import { query } from "./queries";

const POLL_EVERY = 5000;

export const resultsQuery = (slug: string, runId: string) =>
  queryOptions({
    ...query(
      "/projects/{project}/runs/{run_id}/summary",
      { project: slug, run_id: runId },
      { keepPrevious: true },
    ),
    refetchInterval: ({ state }) => (state.data?.is_final === false ? POLL_EVERY : false),
  });
