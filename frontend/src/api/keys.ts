import type { QueryKey } from "@tanstack/react-query";

const inProject = (slug: string, ...rest: readonly unknown[]) => ["projects", slug, ...rest];

/** The lists of a family alone, without what belongs to single entries. */
export const listsOf = (family: QueryKey): QueryKey => [...family, {}];

/**
 * The families of queries, by which answers are refreshed. A family is the beginning of the keys
 * that `api/queries.ts` makes of addresses.
 */
export const keys = {
  me: ["auth", "me"],
  sessions: ["auth", "sessions"],
  tokens: ["auth", "tokens"],
  notifications: ["notifications"],
  /** The lists of projects, not what is in them. */
  projects: ["projects", {}],
  /** Everything in a project. */
  project: (slug: string) => inProject(slug),
  /** The project itself. */
  detail: (slug: string) => inProject(slug, {}),
  settings: (slug: string) => inProject(slug, "settings"),
  members: (slug: string) => inProject(slug, "members"),
  invitations: (slug: string) => inProject(slug, "invitations"),
  audit: (slug: string) => inProject(slug, "audit"),
  prompts: (slug: string) => inProject(slug, "prompts"),
  datasets: (slug: string) => inProject(slug, "datasets"),
  dataset: (slug: string, datasetId: string) => inProject(slug, "datasets", datasetId),
  generations: (slug: string) => inProject(slug, "generations"),
  runs: (slug: string) => inProject(slug, "runs"),
  /** What people say about outputs. */
  humanScores: (slug: string) => inProject(slug, "outputs"),
  annotation: (slug: string) => inProject(slug, "annotation-queues"),
  scorers: (slug: string) => inProject(slug, "scorers"),
  rubrics: (slug: string) => inProject(slug, "rubrics"),
  credentials: (slug: string) => inProject(slug, "credentials"),
  models: (slug: string) => inProject(slug, "models"),
  experiments: (slug: string) => inProject(slug, "experiments"),
  suggestions: (slug: string) => inProject(slug, "suggestions"),
  budgets: (slug: string) => inProject(slug, "budgets"),
  operations: (slug: string) => inProject(slug, "operations"),
  /** How often people scored outputs of a run since the page was opened; never asked for. */
  scored: (slug: string, runId: string) => inProject(slug, "scored", runId),
  /** How far a piece of work is, as its events tell; never asked for. */
  progress: (slug: string, entityId: string) => inProject(slug, "progress", entityId),
} as const;
