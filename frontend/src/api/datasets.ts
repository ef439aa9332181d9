import { allPages, query } from "./queries";

/** All datasets of a project: there are few, and they are searched on the client. */
export const datasetsQuery = (slug: string) =>
  allPages("/projects/{project}/datasets", { project: slug });

/** Tags of all datasets and their cases; any change of a dataset refreshes them. */
export const caseTagsQuery = (slug: string) =>
  query("/projects/{project}/case-tags", { project: slug }, { family: "datasets" });
