import type { IterationSummary, Run } from "@/api/types";

/** Where a cause is removed. */
export type Place = "providers" | "models" | "prompts";

const PLACES = {
  rate_limit: "providers",
  invalid_key: "providers",
  needs_credential: "providers",
  quota: "providers",
  timeout: "models",
  content_filter: "prompts",
  model_not_found: "models",
  context_length: "models",
  network: "providers",
  provider: "models",
  malformed_response: "providers",
  template: "prompts",
  not_json: "prompts",
  no_response_tag: "prompts",
} as const satisfies Record<string, Place>;

type Cause = keyof typeof PLACES;

const isKnown = (reason: string): reason is Cause => reason in PLACES;

/** What to do about a cause, and where; a cause without advice has no place. */
export function adviceFor(reason: string): { key: Cause | "other"; place: Place | null } {
  return isKnown(reason) ? { key: reason, place: PLACES[reason] } : { key: "other", place: null };
}

type Counts = Pick<Run, "error_count" | "malformed_count" | "cell_count">;

/** Whether more than half of the answers cannot be used. */
export function isMostlyUnusable({ error_count, malformed_count, cell_count }: Counts): boolean {
  return (error_count + malformed_count) * 2 > cell_count;
}

/** Whether an iteration failed, or most of its answers cannot be used. */
export function hasTrouble({
  state,
  metrics,
}: Pick<IterationSummary, "state" | "metrics">): boolean {
  return (
    state === "failed" ||
    (metrics !== null && (metrics.failed + metrics.malformed) * 2 > metrics.answers)
  );
}
