import { allPages } from "@/api/queries";

/** Choices for the fields of a run. */
export const datasetChoicesQuery = (slug: string) =>
  allPages("/projects/{project}/datasets", { project: slug });
