import { APART, query } from "./queries";

/** Strategies of experiments and optimizations, with their forms. */
export const strategyKindsQuery = (slug: string) =>
  query(
    "/projects/{project}/optimizations/kinds",
    { project: slug },
    { family: APART, staleTime: Infinity },
  );
