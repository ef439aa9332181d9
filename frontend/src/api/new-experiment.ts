import { APART, query } from "./queries";

/** Experiment templates with all steps filled in. */
export const templatesQuery = (slug: string) =>
  query(
    "/projects/{project}/experiments/templates",
    { project: slug },
    { family: APART, staleTime: Infinity },
  );
