/** State filters of the queue; pending ones by default. */
export const QUEUE_STATES = ["approved", "edited", "rejected", "superseded", "all"] as const;

export interface QueueView {
  q?: string | undefined;
  state?: (typeof QUEUE_STATES)[number] | undefined;
  experiment?: string | undefined;
}
