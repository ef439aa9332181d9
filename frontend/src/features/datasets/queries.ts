import { allPages, query } from "@/api/queries";

export const DATASET = "/projects/{project}/datasets/{dataset_id}";

/** All datasets of a project: there are few, and they are searched on the client. */
export const datasetListQuery = (slug: string) =>
  allPages("/projects/{project}/datasets", { project: slug });

export const datasetQuery = (slug: string, datasetId: string) =>
  query(DATASET, { project: slug, dataset_id: datasetId });
