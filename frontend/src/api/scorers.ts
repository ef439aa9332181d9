import { allPages, APART, ask, query } from "./queries";
import type { ScorerTrialRequest } from "./types";

/** The kinds of scorers and their forms; they change only with the program itself. */
export const scorerKindsQuery = (slug: string) =>
  query(
    "/projects/{project}/scorers/kinds",
    { project: slug },
    { family: APART, staleTime: Infinity },
  );

/** The kinds of comparers and their forms. */
export const comparerKindsQuery = (slug: string) =>
  query("/projects/{project}/comparers/kinds", { project: slug }, { staleTime: Infinity });

/** All saved scorers that are in use, to choose among them. */
export const savedScorersQuery = (slug: string) =>
  allPages("/projects/{project}/scorers", { project: slug, query: { sort: "name" } });

/** The project's grader prompts, for scorers that use one. */
export const graderChoicesQuery = (slug: string) =>
  allPages("/projects/{project}/prompts", { project: slug, query: { kind: "grader" } });

/** One answer scored; the result belongs to exactly what was asked. */
export const trialQuery = (
  slug: string,
  { turn, ...body }: ScorerTrialRequest & { turn: number },
) =>
  ask(
    "/projects/{project}/scorers/try",
    { project: slug, body },
    { turn, staleTime: Infinity, gcTime: 60_000, retry: false, keepPrevious: true },
  );
