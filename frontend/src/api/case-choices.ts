import { queryOptions } from "@tanstack/react-query";
import { LARGEST_PAGE } from "./pages";
import { query } from "./queries";

/** Datasets to choose from; the first hundred that match. */
export const datasetChoicesQuery = (slug: string, q?: string, tag?: string) =>
  queryOptions({
    ...query("/projects/{project}/datasets", {
      project: slug,
      query: {
        limit: LARGEST_PAGE,
        ...(q === undefined ? {} : { q }),
        ...(tag === undefined ? {} : { tag }),
      },
    }),
    select: (page) => page.items,
  });

/** One dataset, for its name. */
export const datasetNameQuery = (slug: string, datasetId: string) =>
  query("/projects/{project}/datasets/{dataset_id}", { project: slug, dataset_id: datasetId });

export const caseChoicesQuery = (slug: string, datasetId: string, limit = LARGEST_PAGE) =>
  queryOptions({
    ...query("/projects/{project}/datasets/{dataset_id}/cases", {
      project: slug,
      dataset_id: datasetId,
      query: { limit },
    }),
    select: (page) => page.items,
  });

/** Names of a dataset's input variables. */
export const variablesQuery = (slug: string, datasetId: string) =>
  queryOptions({
    ...query("/projects/{project}/datasets/{dataset_id}/variables", {
      project: slug,
      dataset_id: datasetId,
    }),
    select: (page) => page.items,
  });

/** Tags, splits and other facets of a dataset, with the number of cases of each. */
export const facetsQuery = (slug: string, datasetId: string) =>
  query("/projects/{project}/datasets/{dataset_id}/facets", {
    project: slug,
    dataset_id: datasetId,
  });
