import type { QueueState } from "@/api/types";

export const QUEUE_STATES = ["open", "paused", "closed"] as const satisfies QueueState[];

/** What the address of the list holds. */
export interface QueuesView {
  q?: string | undefined;
  state?: QueueState | undefined;
  /** The form of a new queue is open, perhaps for this run. */
  create?: true | undefined;
  run?: string | undefined;
}
