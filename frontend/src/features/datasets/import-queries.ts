import { queryOptions, skipToken, useMutation } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import type { Progress } from "@/api/project-events";
import type { CaseImport, ImportChange, ImportCommit } from "@/api/types";
import { uploadFile, type UploadOptions } from "@/api/upload";
import type { DatasetAddress } from "./case-queries";
import { useDatasetMutation } from "./queries";

const LONGEST_NAME = 200;

const pathOf = ({ slug, datasetId }: DatasetAddress, importId: string) => ({
  project: slug,
  dataset_id: datasetId,
  import_id: importId,
});

export async function uploadImport(
  at: DatasetAddress,
  file: File,
  options: UploadOptions,
): Promise<CaseImport> {
  const name = encodeURIComponent(file.name.slice(-LONGEST_NAME));
  const project = encodeURIComponent(at.slug);
  const path = `/api/v1/projects/${project}/datasets/${at.datasetId}/imports?filename=${name}`;
  return (await uploadFile(path, file, options)) as CaseImport;
}

/** Where all problems of a file are handed out as CSV. */
export function problemsAddress({ slug, datasetId }: DatasetAddress, importId: string): string {
  const project = encodeURIComponent(slug);
  return `/api/v1/projects/${project}/datasets/${datasetId}/imports/${importId}/problems`;
}

export function useChangeImport(at: DatasetAddress) {
  return useMutation({
    mutationFn: ({ importId, change }: { importId: string; change: ImportChange }) =>
      unwrap(
        api.PATCH("/api/v1/projects/{project}/datasets/{dataset_id}/imports/{import_id}", {
          params: { path: pathOf(at, importId) },
          body: change,
        }),
      ),
  });
}

export function useCommitImport(at: DatasetAddress) {
  return useDatasetMutation(
    at.slug,
    ({ importId, decision }: { importId: string; decision: ImportCommit }) =>
      unwrap(
        api.POST("/api/v1/projects/{project}/datasets/{dataset_id}/imports/{import_id}/commit", {
          params: { path: pathOf(at, importId) },
          body: decision,
        }),
      ),
  );
}

/** Throws a file away that nobody wants any more; left alone it goes by itself after a day. */
export function abandonImport(at: DatasetAddress, importId: string): void {
  unwrap(
    api.DELETE("/api/v1/projects/{project}/datasets/{dataset_id}/imports/{import_id}", {
      params: { path: pathOf(at, importId) },
    }),
  ).catch(() => undefined);
}

/** How far work is, told by the project's events. */
export const progressQuery = (slug: string, entityId: string) =>
  queryOptions<Progress>({ queryKey: keys.progress(slug, entityId), queryFn: skipToken });
