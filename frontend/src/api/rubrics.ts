import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "./client";
import { keys } from "./keys";
import { LARGEST_PAGE, readAllPages } from "./pages";

/** All rubrics that are in use, to choose among them. */
export const rubricChoicesQuery = (slug: string) =>
  queryOptions({
    queryKey: [...keys.rubrics(slug), "choices"],
    queryFn: ({ signal }) =>
      readAllPages((cursor) =>
        unwrap(
          api.GET("/api/v1/projects/{project}/rubrics", {
            signal,
            params: {
              path: { project: slug },
              query: { limit: LARGEST_PAGE, sort: "name", ...cursor },
            },
          }),
        ),
      ),
  });

export const rubricQuery = (slug: string, rubricId: string) =>
  queryOptions({
    queryKey: keys.rubricPart(slug, rubricId, "detail"),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/rubrics/{rubric_id}", {
          signal,
          params: { path: { project: slug, rubric_id: rubricId } },
        }),
      ),
  });
