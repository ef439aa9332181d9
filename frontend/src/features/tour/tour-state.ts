import { storedChoice, type StoredChoice } from "@/lib/stored-choice";

const STATES = ["new", "over"] as const;
type TourState = (typeof STATES)[number];

const byUser = new Map<string, StoredChoice<TourState>>();

/** Whether the user has started or declined the tour; stored in the browser. */
export function tourState(userId: string): StoredChoice<TourState> {
  const known = byUser.get(userId) ?? storedChoice(`edison-tour-${userId}`, STATES, "new");
  byUser.set(userId, known);
  return known;
}
