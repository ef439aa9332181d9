import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "./client";
import { keys } from "./keys";
import type { IterationState } from "./types";

/** Events tell when an iteration moves on; how far it is with a step is asked for. */
const POLL_EVERY = 2000;
const AT_WORK: readonly IterationState[] = [
  "pending",
  "executing",
  "judging",
  "aggregating",
  "refining",
];

export const experimentQuery = (slug: string, experimentId: string) =>
  queryOptions({
    queryKey: keys.experimentPart(slug, experimentId, "detail"),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/experiments/{experiment_id}", {
          signal,
          params: { path: { project: slug, experiment_id: experimentId } },
        }),
      ),
  });

export const iterationQuery = (slug: string, experimentId: string, iterationId: string) =>
  queryOptions({
    queryKey: keys.iteration(slug, experimentId, iterationId),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET(
          "/api/v1/projects/{project}/experiments/{experiment_id}/iterations/{iteration_id}",
          {
            signal,
            params: {
              path: { project: slug, experiment_id: experimentId, iteration_id: iterationId },
            },
          },
        ),
      ),
    refetchInterval: ({ state }) =>
      state.data !== undefined && AT_WORK.includes(state.data.state) ? POLL_EVERY : false,
  });
