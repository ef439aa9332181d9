import { keys } from "./keys";

export const PROJECT_EVENTS = [
  "project.changed",
  "settings.changed",
  "member.changed",
  "invitation.changed",
  "prompt.changed",
  "dataset.changed",
  "generation.changed",
  "credential.changed",
  "model.changed",
  "scorer.changed",
  "rubric.changed",
  "budget.changed",
  "budget.alert",
  "run.changed",
  "output.scored",
  "annotation.changed",
  "experiment.changed",
  "iteration.changed",
  "monitor.changed",
  "alert.changed",
  "ab_test.changed",
  "optimization.changed",
  "voting.changed",
  "notification.added",
  "destination.changed",
] as const;

/** Progress events; their data is kept in the query cache. */
export const PROGRESS_EVENTS = ["import.progress"] as const;

export type ProjectEvent = (typeof PROJECT_EVENTS)[number];

type QueryKey = readonly unknown[];

const AFFECTED: Record<ProjectEvent, (slug: string) => QueryKey[]> = {
  "project.changed": (slug) => [keys.detail(slug), keys.projects],
  "settings.changed": (slug) => [keys.settings(slug), keys.retention(slug)],
  // The user's own role may have changed too, and project cards show the number of members.
  "member.changed": (slug) => [
    keys.members(slug),
    keys.invitations(slug),
    keys.detail(slug),
    keys.projects,
  ],
  "invitation.changed": (slug) => [keys.invitations(slug)],
  // Changes of a prompt can be proposed as suggestions.
  "prompt.changed": (slug) => [keys.prompts(slug), keys.suggestions(slug)],
  "dataset.changed": (slug) => [keys.datasets(slug), keys.detail(slug)],
  "generation.changed": (slug) => [keys.generations(slug)],
  "credential.changed": (slug) => [keys.credentials(slug)],
  "model.changed": (slug) => [keys.models(slug), keys.arena(slug)],
  "scorer.changed": (slug) => [keys.scorers(slug), keys.rubrics(slug)],
  // Scorers show the latest version of their rubric.
  "rubric.changed": (slug) => [keys.rubrics(slug), keys.scorers(slug)],
  "budget.changed": (slug) => [keys.budgets(slug)],
  "budget.alert": (slug) => [keys.budgets(slug)],
  // The contents of a run arrive through its own stream.
  "run.changed": (slug) => [keys.runs(slug), keys.arena(slug)],
  // Run summaries include human scores.
  "output.scored": (slug) => [keys.humanScores(slug), keys.runs(slug), keys.arena(slug)],
  "annotation.changed": (slug) => [keys.annotation(slug)],
  // Suggestions depend on iterations, and the experiment lists its reviews.
  "experiment.changed": (slug) => [keys.experiments(slug), keys.suggestions(slug)],
  "iteration.changed": (slug) => [keys.experiments(slug), keys.suggestions(slug)],
  // Alerts show the name of their monitor, and its checks update them.
  "monitor.changed": (slug) => [keys.monitors(slug), keys.alerts(slug)],
  // Monitors show the number of their open alerts.
  "alert.changed": (slug) => [keys.alerts(slug), keys.monitors(slug)],
  "ab_test.changed": (slug) => [keys.abTests(slug)],
  // A promoted finalist is a suggestion.
  "optimization.changed": (slug) => [keys.optimizations(slug), keys.suggestions(slug)],
  // A closed round changes the ratings of boards.
  "voting.changed": (slug) => [keys.voting(slug), keys.arena(slug)],
  // The event does not name the recipient: every member of the project receives it.
  "notification.added": () => [keys.notifications],
  "destination.changed": (slug) => [keys.destinations(slug)],
};

/** Query keys invalidated by a project event. Every event also invalidates the audit log and the home page. */
export function affectedKeys(event: string, slug: string): QueryKey[] {
  if (!Object.hasOwn(AFFECTED, event)) {
    return [];
  }
  return [...AFFECTED[event as ProjectEvent](slug), keys.audit(slug), keys.home(slug)];
}

export interface Progress {
  entity_id: string;
  done: number;
  total: number;
}

/** Progress carried by an event; null for other events. */
export function progressOf(event: string, data: unknown): Progress | null {
  if (!PROGRESS_EVENTS.some((name) => name === event)) {
    return null;
  }
  const payload = data as {
    entity_id?: unknown;
    rows_checked?: unknown;
    row_count?: unknown;
  } | null;
  return typeof payload?.entity_id === "string"
    ? {
        entity_id: payload.entity_id,
        done: Number(payload.rows_checked) || 0,
        total: Number(payload.row_count) || 0,
      }
    : null;
}

/** The run whose outputs were scored; null for other events. */
export function scoredRunOf(event: string, data: unknown): string | null {
  const payload = data as { run_id?: unknown } | null;
  return event === "output.scored" && typeof payload?.run_id === "string" ? payload.run_id : null;
}
