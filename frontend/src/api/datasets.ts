import { allPages } from "./queries";

/** All datasets of a project: there are few, and they are searched on the client. */
export const datasetsQuery = (slug: string) =>
  allPages("/projects/{project}/datasets", { project: slug });
