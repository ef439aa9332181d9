import { commitImport, uploadImport } from "@/api/case-imports";
import { createDataset, dropDataset } from "@/api/new-dataset";
import type { Dataset, ImportPreview } from "@/api/types";

const LONGEST_NAME = 90;

export type Uploaded =
  | { kind: "done"; dataset: Dataset; count: number }
  /** The file needs a review; nothing is stored. */
  | { kind: "unclear"; bad: number; rows: number };

/** Dataset name for a file: "orders.2026.csv" becomes "orders.2026". */
export function nameOf(filename: string): string {
  const bare = filename.replace(/\.[^.]+$/, "").trim();
  return (bare === "" ? filename : bare).slice(0, LONGEST_NAME);
}

const isClear = ({ bad_rows, good_rows }: ImportPreview) => bad_rows === 0 && good_rows > 0;

/** Uploads a file as a new dataset, with the suggested mapping. Deletes the dataset on failure. */
export async function uploadDataset(
  slug: string,
  file: File,
  signal: AbortSignal,
): Promise<Uploaded> {
  const dataset = await createDataset(slug, {
    name: nameOf(file.name),
    kind: "manual",
    holdout_percent: 0,
  });
  const at = { slug, datasetId: dataset.id };
  try {
    const upload = await uploadImport(at, file, { signal, onProgress: () => undefined });
    const { preview } = upload;
    if (preview === null || !isClear(preview)) {
      await dropDataset(slug, dataset.id);
      return { kind: "unclear", bad: preview?.bad_rows ?? 0, rows: preview?.row_count ?? 0 };
    }
    const { result } = await commitImport(at, upload.id, {
      mapping: preview.mapping,
      on_bad_rows: "stop",
      skip_copies: false,
    });
    return { kind: "done", dataset, count: result?.added ?? 0 };
  } catch (error) {
    await dropDataset(slug, dataset.id);
    throw error;
  }
}
