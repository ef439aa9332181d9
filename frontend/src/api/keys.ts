import type { QueryKey } from "@tanstack/react-query";

const inProject = (slug: string, ...rest: readonly unknown[]) => ["projects", slug, ...rest];

/** Key of a family's lists, without its detail queries. */
export const listsOf = (family: QueryKey): QueryKey => [...family, {}];

/**
 * Query key families, used to invalidate cached responses. A family is a prefix of the keys that
 * `api/queries.ts` derives from paths.
 */
export const keys = {
  me: ["auth", "me"],
  sessions: ["auth", "sessions"],
  tokens: ["auth", "tokens"],
  notifications: ["notifications"],
  /** Lists of projects, without project contents. */
  projects: ["projects", {}],
  /** Everything in a project. */
  project: (slug: string) => inProject(slug),
  /** The project itself. */
  detail: (slug: string) => inProject(slug, {}),
  home: (slug: string) => inProject(slug, "home"),
  settings: (slug: string) => inProject(slug, "settings"),
  retention: (slug: string) => inProject(slug, "retention"),
  members: (slug: string) => inProject(slug, "members"),
  invitations: (slug: string) => inProject(slug, "invitations"),
  audit: (slug: string) => inProject(slug, "audit"),
  prompts: (slug: string) => inProject(slug, "prompts"),
  datasets: (slug: string) => inProject(slug, "datasets"),
  dataset: (slug: string, datasetId: string) => inProject(slug, "datasets", datasetId),
  generations: (slug: string) => inProject(slug, "generations"),
  runs: (slug: string) => inProject(slug, "runs"),
  /** Human scores of outputs. */
  humanScores: (slug: string) => inProject(slug, "outputs"),
  annotation: (slug: string) => inProject(slug, "annotation-queues"),
  scorers: (slug: string) => inProject(slug, "scorers"),
  rubrics: (slug: string) => inProject(slug, "rubrics"),
  credentials: (slug: string) => inProject(slug, "credentials"),
  models: (slug: string) => inProject(slug, "models"),
  experiments: (slug: string) => inProject(slug, "experiments"),
  suggestions: (slug: string) => inProject(slug, "suggestions"),
  monitors: (slug: string) => inProject(slug, "monitors"),
  alerts: (slug: string) => inProject(slug, "alerts"),
  arena: (slug: string) => inProject(slug, "arena"),
  voting: (slug: string) => inProject(slug, "voting-rounds"),
  abTests: (slug: string) => inProject(slug, "ab-tests"),
  optimizations: (slug: string) => inProject(slug, "optimizations"),
  destinations: (slug: string) => inProject(slug, "destinations"),
  budgets: (slug: string) => inProject(slug, "budgets"),
  operations: (slug: string) => inProject(slug, "operations"),
  /**
   * Number of human score events of a run since the page was opened; client-only, never fetched.
   */
  scored: (slug: string, runId: string) => inProject(slug, "scored", runId),
  /** Latest progress event of a job; client-only, never fetched. */
  progress: (slug: string, entityId: string) => inProject(slug, "progress", entityId),
} as const;
