import { allPages, APART, ask, query } from "./queries";
import type { ScorerTrialRequest } from "./types";

/** Scorer kinds and their forms; they change only with a new release. */
export const scorerKindsQuery = (slug: string) =>
  query(
    "/projects/{project}/scorers/kinds",
    { project: slug },
    { family: APART, staleTime: Infinity },
  );

/** Comparer kinds and their forms. */
export const comparerKindsQuery = (slug: string) =>
  query("/projects/{project}/comparers/kinds", { project: slug }, { staleTime: Infinity });

/** All active saved scorers, for pickers. */
export const savedScorersQuery = (slug: string) =>
  allPages("/projects/{project}/scorers", { project: slug, query: { sort: "name" } });

/** The project's grader prompts, for scorers that use one. */
export const graderChoicesQuery = (slug: string) =>
  allPages("/projects/{project}/prompts", { project: slug, query: { kind: "grader" } });

/** Scores one answer; keyed by the request body. */
export const trialQuery = (
  slug: string,
  { turn, ...body }: ScorerTrialRequest & { turn: number },
) =>
  ask(
    "/projects/{project}/scorers/try",
    { project: slug, body },
    { turn, staleTime: Infinity, gcTime: 60_000, retry: false, keepPrevious: true },
  );
