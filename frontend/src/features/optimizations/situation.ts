import type { Optimization, OptimizationRound } from "@/api/types";

/** What an optimization does now; `next` is what follows. */
export type Situation =
  | { now: "draft"; next: "baseline" }
  | { now: "baseline"; next: "propose" }
  | { now: "propose"; next: "measure" }
  | { now: "measure"; next: "decide" }
  | { now: "finalist"; next: "verdict" }
  | { now: "test"; next: "verdict" }
  | { now: "over"; next: null };

/** The round whose run is in progress; undefined between rounds. */
export function currentRound({ rounds }: Pick<Optimization, "rounds">) {
  return rounds.findLast((round) => round.ended_at === null);
}

export function situationOf(
  optimization: Pick<Optimization, "state" | "rounds" | "stop_reason">,
): Situation {
  const { state, rounds, stop_reason: stop } = optimization;
  if (state === "draft") {
    return { now: "draft", next: "baseline" };
  }
  if (state !== "running" && state !== "paused") {
    return { now: "over", next: null };
  }
  const round = currentRound(optimization);
  if (round?.kind === "gate") {
    return { now: "test", next: "verdict" };
  }
  if (stop !== null) {
    return { now: "finalist", next: "verdict" };
  }
  if (round === undefined && rounds.length > 0) {
    return { now: "propose", next: "measure" };
  }
  return round === undefined || round.generation === 0
    ? { now: "baseline", next: "propose" }
    : { now: "measure", next: "decide" };
}

/** The generation that is being proposed or measured. */
export function generationOf(optimization: Pick<Optimization, "rounds" | "generation">): number {
  return currentRound(optimization) === undefined
    ? optimization.generation + 1
    : optimization.generation;
}

/** Answers of a round that exist, in percent; null while none is planned. */
export function progressOf({ done_count: done, cell_count: all }: OptimizationRound) {
  return all === 0 ? null : Math.round((100 * done) / all);
}

export interface Spent {
  key: "baseline" | "generations" | "test";
  usd: number;
}

/** What the parts of an optimization have cost. */
export function spentOf(rounds: readonly OptimizationRound[]): Spent[] {
  const sum = (isPart: (round: OptimizationRound) => boolean) =>
    rounds.filter(isPart).reduce((total, { cost_usd: cost }) => total + Number(cost), 0);
  return [
    { key: "baseline", usd: sum(({ kind, generation }) => kind === "train" && generation === 0) },
    { key: "generations", usd: sum(({ kind, generation }) => kind === "train" && generation > 0) },
    { key: "test", usd: sum(({ kind }) => kind === "gate") },
  ];
}
