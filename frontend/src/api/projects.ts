import { allPages, query } from "./queries";

/** All projects of the user, including archived ones, for pickers and for resolving names by id. */
export const projectChoicesQuery = allPages("/projects", {
  query: { sort: "name", status: "all" },
});

export const projectQuery = (slug: string) => query("/projects/{project}", { project: slug });
