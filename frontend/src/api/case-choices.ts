import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "./client";
import { keys } from "./keys";
import { LARGEST_PAGE } from "./pages";

/** Datasets to take an example from; the first hundred are choice enough. */
export const datasetChoicesQuery = (slug: string) =>
  queryOptions({
    queryKey: [...keys.datasetList(slug), "choices"],
    queryFn: async ({ signal }) => {
      const page = await unwrap(
        api.GET("/api/v1/projects/{project}/datasets", {
          signal,
          params: { path: { project: slug }, query: { limit: LARGEST_PAGE } },
        }),
      );
      return page.items;
    },
  });

export const caseChoicesQuery = (slug: string, datasetId: string) =>
  queryOptions({
    queryKey: keys.datasetPart(slug, datasetId, "choices"),
    queryFn: async ({ signal }) => {
      const page = await unwrap(
        api.GET("/api/v1/projects/{project}/datasets/{dataset_id}/cases", {
          signal,
          params: {
            path: { project: slug, dataset_id: datasetId },
            query: { limit: LARGEST_PAGE },
          },
        }),
      );
      return page.items;
    },
  });

/** The names that the inputs of a dataset go by. */
export const variablesQuery = (slug: string, datasetId: string) =>
  queryOptions({
    queryKey: keys.datasetPart(slug, datasetId, "variables"),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/datasets/{dataset_id}/variables", {
          signal,
          params: { path: { project: slug, dataset_id: datasetId } },
        }),
      ),
    select: (page) => page.items,
  });

/** Tags, splits and the like of a dataset, with how many cases have them. */
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
