import { locale } from "./locale";

/** Times in UTC, in which budgets count days and schedules are written. */
const UTC = { timeZone: "UTC" } as const;

type Moment = number | string;

export function dayLabel(at: Moment): string {
  return new Intl.DateTimeFormat(locale, { ...UTC, month: "short", day: "numeric" }).format(
    new Date(at),
  );
}

export function hourLabel(at: Moment): string {
  return new Intl.DateTimeFormat(locale, {
    ...UTC,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(new Date(at));
}

/** "Mar 5, 2026". */
export function dateLabel(at: Moment): string {
  return new Intl.DateTimeFormat(locale, { ...UTC, dateStyle: "medium" }).format(new Date(at));
}

/** "Mar 5, 2026, 14:00 UTC". */
export function momentLabel(at: Moment): string {
  const words = new Intl.DateTimeFormat(locale, {
    ...UTC,
    dateStyle: "medium",
    timeStyle: "short",
    hourCycle: "h23",
  });
  return `${words.format(new Date(at))} UTC`;
}
