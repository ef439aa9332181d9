import type { Iteration, IterationState } from "@/api/types";
import type { PhaseStatus } from "@/components/phase-timeline";

/** Phases of an iteration, in order. */
export const STEPS = [
  "pending",
  "executing",
  "judging",
  "aggregating",
  "refining",
  "trying",
  "reviewing",
] as const satisfies readonly IterationState[];

export interface Step {
  state: (typeof STEPS)[number];
  status: PhaseStatus;
  /** Duration in seconds; null while unknown. */
  seconds: number | null;
}

type Facts = Pick<Iteration, "state" | "phases" | "created_at">;

const OVER: readonly IterationState[] = ["completed", "failed", "cancelled"];

/** Whether the iteration is finished. */
export function isOver(state: IterationState): boolean {
  return OVER.includes(state);
}

/** Whether it makes progress without user action: it awaits neither a review nor budget. */
export function isWorking(state: IterationState): boolean {
  return !isOver(state) && state !== "paused" && state !== "reviewing";
}

function statusOf({ state }: Facts, isLatest: boolean): PhaseStatus {
  if (!isLatest) {
    return "done";
  }
  if (state === "paused") {
    return "paused";
  }
  if (state === "completed") {
    return "done";
  }
  return isOver(state) ? "stopped" : "current";
}

/** Time spent in a state. The initial state has no recorded start: it begins at creation. */
function durationOf({ phases, created_at }: Facts, state: IterationState): number | null {
  const phase = phases.find((each) => each.state === state);
  const began = state === "pending" ? created_at : (phase?.began_at ?? null);
  const ended = state === "pending" ? (phases[0]?.began_at ?? null) : (phase?.ended_at ?? null);
  return began === null || ended === null
    ? null
    : Math.max(0, (Date.parse(ended) - Date.parse(began)) / 1000);
}

/** Phases of an iteration. One that ended early leaves later phases undone. */
export function stepsOf(iteration: Facts): Step[] {
  const reached = STEPS.findLastIndex(
    (step) => step === iteration.state || iteration.phases.some((phase) => phase.state === step),
  );
  const latest = Math.max(0, reached);
  return STEPS.map((state, at) => ({
    state,
    status: at > latest ? "waiting" : statusOf(iteration, at === latest),
    seconds: at > latest ? null : durationOf(iteration, state),
  }));
}
