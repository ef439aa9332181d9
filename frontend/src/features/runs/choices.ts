import { allPages } from "@/api/queries";

/** What a run can be made of. */
export const datasetChoicesQuery = (slug: string) =>
  allPages("/projects/{project}/datasets", { project: slug });
