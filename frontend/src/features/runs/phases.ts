import type { RunDetail, RunPhase, RunState } from "@/api/types";
import type { PhaseStatus } from "@/components/phase-timeline";

export interface Step {
  state: RunState;
  status: PhaseStatus;
  /** Duration in seconds; null while unknown. */
  seconds: number | null;
}

function durationOf({ began_at, ended_at }: RunPhase): number | null {
  return began_at === null || ended_at === null
    ? null
    : Math.max(0, (Date.parse(ended_at) - Date.parse(began_at)) / 1000);
}

function statusOf(run: Pick<RunDetail, "state">, phase: RunPhase, isLatest: boolean): PhaseStatus {
  if (run.state === "completed" || phase.ended_at !== null) {
    return "done";
  }
  if (phase.began_at === null && run.state !== phase.state) {
    return "waiting";
  }
  if (run.state === "paused") {
    return isLatest ? "paused" : "done";
  }
  if (run.state === "cancelled" || run.state === "failed") {
    return isLatest ? "stopped" : "done";
  }
  return "current";
}

/** A run that started at once was not queued. Seconds. */
const SHORTEST_QUEUE = 1;

function isUnqueued(state: RunState, status: PhaseStatus, seconds: number | null): boolean {
  return state === "pending" && status === "done" && (seconds ?? 0) < SHORTEST_QUEUE;
}

/** Phases of a run. Answering and scoring overlap, so two can be current. */
export function stepsOf(run: Pick<RunDetail, "state" | "phases">): Step[] {
  const latest = run.phases.findLastIndex((phase) => phase.began_at !== null);
  return run.phases
    .map((phase, index) => ({
      state: phase.state,
      status: statusOf(run, phase, index === latest),
      seconds: durationOf(phase),
    }))
    .filter(({ state, status, seconds }) => !isUnqueued(state, status, seconds));
}
