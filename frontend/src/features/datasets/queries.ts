import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import { LARGEST_PAGE, readAllPages } from "@/api/pages";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import type { DatasetChange, DatasetRequest } from "@/api/types";

/** All datasets of a project: they are tens, and finding one should not wait for the server. */
export const datasetListQuery = (slug: string) =>
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

export const datasetQuery = (slug: string, datasetId: string) =>
  queryOptions({
    queryKey: keys.datasetPart(slug, datasetId, "detail"),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/datasets/{dataset_id}", {
          signal,
          params: { path: { project: slug, dataset_id: datasetId } },
        }),
      ),
  });

/** A change of datasets or cases, after which everything that shows them is read again. */
export function useDatasetMutation<V, R>(slug: string, mutationFn: (variables: V) => Promise<R>) {
  return useRefreshingMutation([keys.datasets(slug)], mutationFn);
}

export function useCreateDataset(slug: string) {
  return useDatasetMutation(slug, (body: DatasetRequest) =>
    unwrap(
      api.POST("/api/v1/projects/{project}/datasets", {
        params: { path: { project: slug } },
        body,
      }),
    ),
  );
}

export function useChangeDataset(slug: string) {
  return useDatasetMutation(
    slug,
    ({ datasetId, change }: { datasetId: string; change: DatasetChange }) =>
      unwrap(
        api.PATCH("/api/v1/projects/{project}/datasets/{dataset_id}", {
          params: { path: { project: slug, dataset_id: datasetId } },
          body: change,
        }),
      ),
  );
}

/** Nothing of the dataset may be asked for again: only the lists are read anew. */
export function useDeleteDataset(slug: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (datasetId: string) =>
      unwrap(
        api.DELETE("/api/v1/projects/{project}/datasets/{dataset_id}", {
          params: { path: { project: slug, dataset_id: datasetId } },
        }),
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.datasetList(slug) }),
  });
}
