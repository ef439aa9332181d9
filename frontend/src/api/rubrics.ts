import { allPages, query } from "./queries";

/** All rubrics that are in use, to choose among them. */
export const rubricChoicesQuery = (slug: string) =>
  allPages("/projects/{project}/rubrics", { project: slug, query: { sort: "name" } });

export const rubricQuery = (slug: string, rubricId: string) =>
  query("/projects/{project}/rubrics/{rubric_id}", { project: slug, rubric_id: rubricId });
