import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import { LARGEST_PAGE, readAllPages } from "@/api/pages";

/** What a run can be made of. */
export const datasetChoicesQuery = (slug: string) =>
  queryOptions({
    queryKey: keys.datasetList(slug),
    queryFn: ({ signal }) =>
      readAllPages((cursor) =>
        unwrap(
          api.GET("/api/v1/projects/{project}/datasets", {
            signal,
            params: { path: { project: slug }, query: { limit: LARGEST_PAGE, ...cursor } },
          }),
        ),
      ),
  });
