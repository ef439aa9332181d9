import type { QueueState } from "@/api/types";

export const QUEUE_STATES = ["open", "paused", "closed"] as const satisfies QueueState[];

/** Search parameters of the list. */
export interface QueuesView {
  q?: string | undefined;
  state?: QueueState | undefined;
  /** Opens the form of a new queue, optionally for this run. */
  create?: true | undefined;
  run?: string | undefined;
}
