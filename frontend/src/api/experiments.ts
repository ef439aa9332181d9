import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "./client";
import { keys } from "./keys";

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
  });
