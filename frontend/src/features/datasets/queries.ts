import { query } from "@/api/queries";

export const DATASET = "/projects/{project}/datasets/{dataset_id}";

export const datasetQuery = (slug: string, datasetId: string) =>
  query(DATASET, { project: slug, dataset_id: datasetId });
