import type { Cell, RunDetail, RunVariant } from "@/api/types";
import type { ScoreEvent, TextUpdate } from "./rows";

export const RUN_EVENTS = ["cells", "scores", "texts", "progress", "reset", "closed"] as const;

type Counts = Pick<
  RunDetail,
  | "done_count"
  | "error_count"
  | "malformed_count"
  | "cached_count"
  | "unpriced_count"
  | "score_count"
  | "cost_usd"
  | "input_tokens"
  | "output_tokens"
>;

type VariantProgress = Counts & Pick<RunVariant, "position" | "waiting" | "halted" | "summary">;

/** The fields of a run that change while it is in progress. */
export type Progress = Counts &
  Pick<
    RunDetail,
    | "state"
    | "reason"
    | "message"
    | "started_at"
    | "ended_at"
    | "elapsed_seconds"
    | "score"
    | "comparison_count"
    | "unconfirmed_usd"
    | "phases"
    | "compared"
    | "cells_per_second"
    | "remaining_seconds"
    | "actions"
    | "last_number"
  > & { variants: VariantProgress[] };

export type RunEvent =
  | { type: "cells"; cells: Cell[] }
  | { type: "scores"; scores: ScoreEvent[] }
  | { type: "texts"; texts: TextUpdate[] }
  | { type: "progress"; progress: Progress }
  | { type: "reset" };

/** Parses an event of the run stream; null for events the page does not use. */
export function readRunEvent(name: string, data: unknown): RunEvent | null {
  const body = (data ?? {}) as { cells?: Cell[]; scores?: ScoreEvent[]; texts?: TextUpdate[] };
  switch (name) {
    case "cells":
      return { type: "cells", cells: body.cells ?? [] };
    case "scores":
      return { type: "scores", scores: body.scores ?? [] };
    case "texts":
      return { type: "texts", texts: body.texts ?? [] };
    case "progress":
      return { type: "progress", progress: data as Progress };
    case "reset":
      return { type: "reset" };
    default:
      return null;
  }
}

/**
 * Applies an event to the run. Ignores events older than the loaded state, so progress never goes
 * backwards.
 */
export function applyProgress(run: RunDetail, news: Progress): RunDetail {
  if (news.last_number < run.last_number) {
    return run;
  }
  const byPosition = new Map(news.variants.map((variant) => [variant.position, variant]));
  return {
    ...run,
    ...news,
    variants: run.variants.map((variant) => ({ ...variant, ...byPosition.get(variant.position) })),
  };
}
