import type { Experiment, IterationSummary } from "@/api/types";

/** The next action of an experiment, with its subject. */
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

/** Decision about an iteration's suggestions. */
export function decisionOf(iteration: IterationSummary): Decision {
  const states = iteration.suggestions.map(({ state }) => state);
  for (const state of ["approved", "edited", "pending", "rejected"] as const) {
    if (states.includes(state)) {
      return state;
    }
  }
  return (iteration.refinement?.unchanged.length ?? 0) > 0 ? "unchanged" : "none";
}
