import { commitImport, uploadImport } from "@/api/case-imports";
import { api, unwrap } from "@/api/client";
import { asProblem } from "@/api/problem";
import type { Dataset, ImportPreview } from "@/api/types";

const LONGEST_NAME = 90;
const MOST_NAMES = 50;
const NAME_TAKEN = 409;

export type Uploaded =
  | { kind: "done"; dataset: Dataset; count: number }
  /** Somebody has to look at the file first; nothing of it is kept. */
  | { kind: "unclear"; bad: number; rows: number };

/** "orders.2026.csv" is called "orders.2026". */
export function nameOf(filename: string): string {
  const bare = filename.replace(/\.[^.]+$/, "").trim();
  return (bare === "" ? filename : bare).slice(0, LONGEST_NAME);
}

async function createDataset(slug: string, name: string): Promise<Dataset> {
  for (let number = 1; ; number += 1) {
    try {
      return await unwrap(
        api.POST("/api/v1/projects/{project}/datasets", {
          params: { path: { project: slug } },
          body: {
            name: number === 1 ? name : `${name} ${number}`,
            kind: "manual",
            holdout_percent: 0,
          },
        }),
      );
    } catch (error) {
      if (asProblem(error).status !== NAME_TAKEN || number >= MOST_NAMES) {
        throw error;
      }
    }
  }
}

function deleteDataset(slug: string, datasetId: string): Promise<unknown> {
  return unwrap(
    api.DELETE("/api/v1/projects/{project}/datasets/{dataset_id}", {
      params: { path: { project: slug, dataset_id: datasetId } },
    }),
  ).catch(() => undefined);
}

const isClear = ({ bad_rows, good_rows }: ImportPreview) => bad_rows === 0 && good_rows > 0;

/** A file as a dataset of its own, mapped as the server suggests. Trouble leaves nothing behind. */
export async function uploadDataset(
  slug: string,
  file: File,
  signal: AbortSignal,
): Promise<Uploaded> {
  const dataset = await createDataset(slug, nameOf(file.name));
  const at = { slug, datasetId: dataset.id };
  try {
    const upload = await uploadImport(at, file, { signal, onProgress: () => undefined });
    const { preview } = upload;
    if (preview === null || !isClear(preview)) {
      await deleteDataset(slug, dataset.id);
      return { kind: "unclear", bad: preview?.bad_rows ?? 0, rows: preview?.row_count ?? 0 };
    }
    const { result } = await commitImport(at, upload.id, {
      mapping: preview.mapping,
      on_bad_rows: "stop",
      skip_copies: false,
    });
    return { kind: "done", dataset, count: result?.added ?? 0 };
  } catch (error) {
    await deleteDataset(slug, dataset.id);
    throw error;
  }
}
