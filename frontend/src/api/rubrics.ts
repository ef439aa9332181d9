import { allPages, query } from "./queries";

/** All active rubrics, for pickers. */
export const rubricChoicesQuery = (slug: string) =>
  allPages("/projects/{project}/rubrics", { project: slug, query: { sort: "name" } });

export const rubricQuery = (slug: string, rubricId: string) =>
  query("/projects/{project}/rubrics/{rubric_id}", { project: slug, rubric_id: rubricId });
