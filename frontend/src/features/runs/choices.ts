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

export const facetsQuery = (slug: string, datasetId: string) =>
  queryOptions({
    queryKey: keys.datasetPart(slug, datasetId, "facets"),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/datasets/{dataset_id}/facets", {
          signal,
          params: { path: { project: slug, dataset_id: datasetId } },
        }),
      ),
  });
