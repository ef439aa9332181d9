import { send } from "./request";
import type { CaseImport, ImportCommit } from "./types";
import { uploadFile, type UploadOptions } from "./upload";

/** Project and id of a dataset. */
export interface DatasetAddress {
  slug: string;
  datasetId: string;
}

const LONGEST_NAME = 200;

/** Path parameters of a dataset. */
export const datasetPath = ({ slug, datasetId }: DatasetAddress) => ({
  project: slug,
  dataset_id: datasetId,
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

export function commitImport(
  at: DatasetAddress,
  importId: string,
  decision: ImportCommit,
): Promise<CaseImport> {
  return send("post", "/projects/{project}/datasets/{dataset_id}/imports/{import_id}/commit", {
    ...datasetPath(at),
    import_id: importId,
    body: decision,
  });
}

/**
 * Deletes an uploaded file that is no longer needed; the server deletes it after a day otherwise.
 */
export function abandonImport(at: DatasetAddress, importId: string): void {
  send("delete", "/projects/{project}/datasets/{dataset_id}/imports/{import_id}", {
    ...datasetPath(at),
    import_id: importId,
  }).catch(() => undefined);
}
