import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "./client";
import { keys } from "./keys";
import { LARGEST_PAGE, readAllPages } from "./pages";

/** All models of a project: every place that offers a choice among them needs every one. */
export const modelsQuery = (slug: string) =>
  queryOptions({
    queryKey: keys.models(slug),
    queryFn: ({ signal }) =>
      readAllPages((cursor) =>
        unwrap(
          api.GET("/api/v1/projects/{project}/models", {
            signal,
            params: { path: { project: slug }, query: { limit: LARGEST_PAGE, ...cursor } },
          }),
        ),
      ),
  });
