import { asProblem } from "./problem";
import { send } from "./request";
import type { Dataset, DatasetRequest } from "./types";

const MOST_NAMES = 50;
const NAME_TAKEN = 409;

/** Creates a dataset; appends a number when the name is taken. */
export async function createDataset(slug: string, wanted: DatasetRequest): Promise<Dataset> {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted.name : `${wanted.name} ${number}`;
    try {
      return await send("post", "/projects/{project}/datasets", {
        project: slug,
        body: { ...wanted, name },
      });
    } catch (error) {
      if (asProblem(error).status !== NAME_TAKEN || number >= MOST_NAMES) {
        throw error;
      }
    }
  }
}

/** Deletes a dataset that was created for an abandoned action. */
export function dropDataset(slug: string, datasetId: string): Promise<unknown> {
  return send("delete", "/projects/{project}/datasets/{dataset_id}", {
    project: slug,
    dataset_id: datasetId,
  }).catch(() => undefined);
}
