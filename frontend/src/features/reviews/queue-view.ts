/** What the queue may be narrowed to; without one, it shows what waits. */
export const QUEUE_STATES = ["approved", "edited", "rejected", "superseded", "all"] as const;

export interface QueueView {
  q?: string | undefined;
  state?: (typeof QUEUE_STATES)[number] | undefined;
  experiment?: string | undefined;
}
