import type { Experiment, IterationSummary } from "@/api/types";

/** The one thing that comes next, and what it is about. */
export type NextStep =
  | { kind: "archived" }
  | { kind: "setup" }
  | { kind: "start"; number: number; failed: IterationSummary | null }
  | { kind: "follow"; iteration: IterationSummary }
  | { kind: "resume"; iteration: IterationSummary }
  | { kind: "review"; iteration: IterationSummary; suggestionId: string }
  | { kind: "write"; iteration: IterationSummary }
  | { kind: "report" };

export function nextStepOf(experiment: Experiment): NextStep {
  const latest = experiment.iterations.at(-1);
  const start = {
    kind: "start",
    number: experiment.iteration_count + 1,
    failed: latest?.state === "failed" ? latest : null,
  } as const;
  if (experiment.archived_at !== null) {
    return { kind: "archived" };
  }
  switch (experiment.state) {
    case "draft":
      return { kind: "setup" };
    case "completed":
      return { kind: "report" };
    case "running":
      return latest === undefined ? start : { kind: "follow", iteration: latest };
    case "paused":
      return latest === undefined ? start : { kind: "resume", iteration: latest };
    case "reviewing": {
      const waiting = latest?.suggestions.find(({ state }) => state === "pending");
      if (latest === undefined) {
        return start;
      }
      return waiting === undefined
        ? { kind: "write", iteration: latest }
        : { kind: "review", iteration: latest, suggestionId: waiting.id };
    }
    default:
      return start;
  }
}

export type Decision = "approved" | "edited" | "rejected" | "pending" | "unchanged" | "none";

/** What became of what an iteration suggested. */
export function decisionOf(iteration: IterationSummary): Decision {
  const states = iteration.suggestions.map(({ state }) => state);
  for (const state of ["approved", "edited", "pending", "rejected"] as const) {
    if (states.includes(state)) {
      return state;
    }
  }
  return (iteration.refinement?.unchanged.length ?? 0) > 0 ? "unchanged" : "none";
}

export interface ActivityEntry {
  at: string;
  kind:
    | "created"
    | "confirmed"
    | "started"
    | "ended"
    | "failed"
    | "cancelled"
    | "approved"
    | "edited"
    | "rejected"
    | "finished"
    | "archived";
  number?: number;
  version?: string;
  message?: string | null;
}

const ENDS = { completed: "ended", failed: "failed", cancelled: "cancelled" } as const;

function activityOf(iteration: IterationSummary): ActivityEntry[] {
  const { number, started_at: began, ended_at: ended, state, version_label: version } = iteration;
  const entries: ActivityEntry[] = [];
  if (began !== null) {
    entries.push({ at: began, kind: "started", number, version });
  }
  for (const { state: decision, decided_at: at } of iteration.suggestions) {
    if (
      at !== null &&
      (decision === "approved" || decision === "edited" || decision === "rejected")
    ) {
      entries.push({ at, kind: decision, number });
    }
  }
  if (ended !== null && (state === "completed" || state === "failed" || state === "cancelled")) {
    entries.push({ at: ended, kind: ENDS[state], number, message: iteration.message });
  }
  return entries;
}

/** What has happened, the latest first. */
export function listActivity(experiment: Experiment): ActivityEntry[] {
  const entries: ActivityEntry[] = [
    { at: experiment.created_at, kind: "created" },
    ...experiment.iterations.flatMap(activityOf),
  ];
  if (experiment.confirmed_at !== null) {
    entries.push({ at: experiment.confirmed_at, kind: "confirmed" });
  }
  if (experiment.completed_at !== null) {
    entries.push({
      at: experiment.completed_at,
      kind: "finished",
      message: experiment.stop?.message ?? null,
    });
  }
  if (experiment.archived_at !== null) {
    entries.push({ at: experiment.archived_at, kind: "archived" });
  }
  return entries.reverse().sort((one, other) => other.at.localeCompare(one.at));
}
