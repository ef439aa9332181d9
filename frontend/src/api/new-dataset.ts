import { asProblem } from "./problem";
import { send } from "./request";
import type { Dataset, DatasetRequest } from "./types";

const MOST_NAMES = 50;
const NAME_TAKEN = 409;

/** A new dataset; a name that is taken gets a number behind it. */
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

/** Takes a dataset away that was made for something that came to nothing. */
export function dropDataset(slug: string, datasetId: string): Promise<unknown> {
  return send("delete", "/projects/{project}/datasets/{dataset_id}", {
    project: slug,
    dataset_id: datasetId,
  }).catch(() => undefined);
}
