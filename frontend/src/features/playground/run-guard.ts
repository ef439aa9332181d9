import { ask } from "@/api/queries";
import type { PlaygroundRequest, RunEstimate } from "@/api/types";

/** Calls above which a run asks before it starts. */
const MANY_CALLS = 500;
/** Share of a budget above which a run asks before it starts. */
const LARGE_SHARE = 0.05;
/** Rows of a trial on the beginning of a dataset. */
export const FIRST_ROWS = 20;

/** Problems and estimate of a run; stores nothing. Disabled without a request. */
export const checkQuery = (slug: string, request: PlaygroundRequest | null) =>
  ask(
    "/projects/{project}/playground/check",
    { project: slug, body: request ?? ({} as PlaygroundRequest) },
    { enabled: request !== null, retry: false, gcTime: 60_000, keepPrevious: true },
  );

export function callsOf({ answer_calls, judge_calls }: RunEstimate): number {
  return answer_calls + judge_calls;
}

/** Whether the run is large enough to ask before it starts. */
export function isLarge(estimate: RunEstimate): boolean {
  const cost = Number(estimate.cost.high_usd ?? 0);
  const simulated = Number(estimate.simulated_cost?.high_usd ?? 0);
  return (
    callsOf(estimate) > MANY_CALLS ||
    (estimate.budgets ?? []).some(
      ({ limit_usd, counts_simulated }) =>
        typeof limit_usd === "string" &&
        cost - (counts_simulated ? 0 : simulated) > LARGE_SHARE * Number(limit_usd),
    )
  );
}
