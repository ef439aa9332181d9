import { queryOptions, skipToken } from "@tanstack/react-query";
import { keys } from "@/api/keys";
import type { Progress } from "@/api/project-events";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import { send } from "@/api/request";
import { commitImport, type DatasetAddress } from "@/api/case-imports";
import type { ImportChange, ImportCommit } from "@/api/types";
import { useDatasetMutation } from "./queries";

const pathOf = ({ slug, datasetId }: DatasetAddress, importId: string) => ({
  project: slug,
  dataset_id: datasetId,
  import_id: importId,
});

/** Download URL of all problems of a file, as CSV. */
export function problemsAddress({ slug, datasetId }: DatasetAddress, importId: string): string {
  const project = encodeURIComponent(slug);
  return `/api/v1/projects/${project}/datasets/${datasetId}/imports/${importId}/problems`;
}

export function useChangeImport(at: DatasetAddress) {
  return useRefreshingMutation(
    [],
    ({ importId, change }: { importId: string; change: ImportChange }) =>
      send("patch", "/projects/{project}/datasets/{dataset_id}/imports/{import_id}", {
        ...pathOf(at, importId),
        body: change,
      }),
  );
}

export function useCommitImport(at: DatasetAddress) {
  return useDatasetMutation(
    at.slug,
    ({ importId, decision }: { importId: string; decision: ImportCommit }) =>
      commitImport(at, importId, decision),
  );
}

/** Progress of a job, from the project's events. */
export const progressQuery = (slug: string, entityId: string) =>
  queryOptions<Progress>({ queryKey: keys.progress(slug, entityId), queryFn: skipToken });
