const HOUR = 3_600_000;

const DURATIONS = { hour: HOUR, day: 24 * HOUR, week: 7 * 24 * HOUR } as const;

/** How long notifications are muted; "none" ends it. */
export const MUTE_TIMES = ["hour", "day", "week", "none"] as const;
export type MuteTime = (typeof MUTE_TIMES)[number];

/** ISO time when the mute ends; null for no mute. */
export function muteEnd(time: MuteTime, now: number): string | null {
  return time === "none" ? null : new Date(now + DURATIONS[time]).toISOString();
}
