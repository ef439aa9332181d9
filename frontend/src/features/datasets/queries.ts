import { keys, listsOf } from "@/api/keys";
import { allPages, query } from "@/api/queries";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import { send } from "@/api/request";
import type { DatasetChange, DatasetRequest } from "@/api/types";

/** All datasets of a project: there are few, and they are searched on the client. */
export const datasetListQuery = (slug: string) =>
  allPages("/projects/{project}/datasets", { project: slug });

export const datasetQuery = (slug: string, datasetId: string) =>
  query("/projects/{project}/datasets/{dataset_id}", { project: slug, dataset_id: datasetId });

/** Mutation of datasets or cases; invalidates all queries that show them. */
export function useDatasetMutation<V, R>(slug: string, mutationFn: (variables: V) => Promise<R>) {
  return useRefreshingMutation([keys.datasets(slug)], mutationFn);
}

export function useCreateDataset(slug: string) {
  return useDatasetMutation(slug, (body: DatasetRequest) =>
    send("post", "/projects/{project}/datasets", { project: slug, body }),
  );
}

export function useChangeDataset(slug: string) {
  return useDatasetMutation(
    slug,
    ({ datasetId, change }: { datasetId: string; change: DatasetChange }) =>
      send("patch", "/projects/{project}/datasets/{dataset_id}", {
        project: slug,
        dataset_id: datasetId,
        body: change,
      }),
  );
}

export function useArchiveDataset(slug: string) {
  return useDatasetMutation(slug, ({ id, archive }: { id: string; archive: boolean }) =>
    send("patch", "/projects/{project}/datasets/{dataset_id}", {
      project: slug,
      dataset_id: id,
      body: { is_archived: archive },
    }),
  );
}

/** Invalidates only the lists: the deleted dataset must not be refetched. */
export function useDeleteDataset(slug: string) {
  return useRefreshingMutation([listsOf(keys.datasets(slug))], (datasetId: string) =>
    send("delete", "/projects/{project}/datasets/{dataset_id}", {
      project: slug,
      dataset_id: datasetId,
    }),
  );
}
