import { i18n } from "./i18n";
import { locale, numberFormat } from "./locale";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const MONTH = 30 * DAY;
const YEAR = 365 * DAY;

const STEPS: readonly [limit: number, size: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [HOUR, MINUTE, "minute"],
  [DAY, HOUR, "hour"],
  [WEEK, DAY, "day"],
  [MONTH, WEEK, "week"],
  [YEAR, MONTH, "month"],
  [Infinity, YEAR, "year"],
];

/** "2 hours ago", "in 3 days"; anything within 45 seconds of now is "just now". */
export function formatRelative(iso: string, now: number): string {
  const seconds = (new Date(iso).getTime() - now) / 1000;
  if (Number.isNaN(seconds)) {
    return "";
  }
  const distance = Math.abs(seconds);
  if (distance < 45) {
    return i18n.t("format.justNow");
  }
  const words = new Intl.RelativeTimeFormat(locale, { numeric: "always" });
  for (const [limit, size, unit] of STEPS) {
    const amount = Math.max(1, Math.round(distance / size));
    if (amount * size < limit) {
      return words.format(Math.sign(seconds) * amount, unit);
    }
  }
  return "";
}

export function formatExact(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) {
    return "";
  }
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "long" }).format(date);
}

export function formatDate(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime())
    ? ""
    : new Intl.DateTimeFormat(locale, { dateStyle: "medium" }).format(date);
}

/** "12:03" for today, other days with their date. */
export function formatMoment(iso: string, now = new Date()): string {
  const date = new Date(iso);
  const isToday = date.toDateString() === now.toDateString();
  return new Intl.DateTimeFormat(locale, {
    timeStyle: "short",
    ...(isToday ? {} : { dateStyle: "medium" }),
  }).format(date);
}

/** Time of day with seconds, for moments of today. */
export function formatTime(iso: string): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: "medium" }).format(new Date(iso));
}

export function formatNumber(value: number): string {
  return numberFormat().format(value);
}

/** With exactly these digits after the decimal separator: "0.40". */
export function formatDecimal(value: number, digits: number): string {
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return numberFormat({ ...fraction, useGrouping: false }).format(value);
}

/** "= 0.012", "< 0.001". */
export function formatPValue(value: number): string {
  return value < 0.001 ? `< ${formatDecimal(0.001, 3)}` : `= ${formatDecimal(value, 3)}`;
}

/** Amounts are decimal strings, to avoid rounding. */
export function formatUsd(amount: string): string {
  return numberFormat({ style: "currency", currency: "USD" }).format(Number(amount));
}

/** Costs of single calls are often far below a cent: shows three significant digits. */
export function formatCost(amount: string): string {
  const value = Number(amount);
  const style = { style: "currency", currency: "USD" } as const;
  const digits = value !== 0 && value < 0.01 ? { maximumSignificantDigits: 3 } : {};
  return numberFormat({ ...style, ...digits }).format(value);
}

export type TokenCount = "million" | "thousand";

/** Formats a price in US dollars per million tokens, per million or per thousand tokens. */
export function formatPrice(usdPerMillion: string, per: TokenCount): string {
  const value = Number(usdPerMillion) / (per === "million" ? 1 : 1000);
  return numberFormat({
    style: "currency",
    currency: "USD",
    minimumFractionDigits: 2,
    maximumFractionDigits: 9,
  }).format(value);
}

/** "0.42 s", "12.3 s". */
export function formatSeconds(seconds: number): string {
  const digits = seconds < 10 ? 2 : 1;
  return `${numberFormat({ maximumFractionDigits: digits }).format(seconds)} s`;
}

/** "8.4 s", "2 min 34 s", "3 h 5 min". */
export function formatDuration(seconds: number): string {
  if (seconds < MINUTE) {
    const rounded = seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds);
    return `${numberFormat().format(rounded)} s`;
  }
  const whole = Math.round(seconds);
  const [size, large, small] = whole < HOUR ? [MINUTE, "min", "s"] : [HOUR, "h", "min"];
  const rest = Math.floor((whole % size) / (size / 60));
  const first = `${numberFormat().format(Math.floor(whole / size))} ${large}`;
  return rest === 0 ? first : `${first} ${rest} ${small}`;
}

/** "42", "0.5k", "12k", "3.4M": token counts, in thousands from 500 on. */
export function formatTokens(value: number): string {
  const [size, unit] = value < 500 ? [1, ""] : value < 999_950 ? [1e3, "k"] : [1e6, "M"];
  const digits = { maximumFractionDigits: size === 1 ? 0 : 1 };
  return `${numberFormat(digits).format(value / size)}${unit}`;
}

export function formatPercent(share: number): string {
  return numberFormat({ style: "percent", maximumFractionDigits: 1 }).format(share);
}

/** "$1.20 – $3.40"; one value when both format the same, null when both are unknown. */
export function formatRange<T>(
  low: T | null,
  high: T | null,
  format: (value: T) => string,
): string | null {
  const ends = [low, high].filter((end) => end !== null).map(format);
  return ends.length === 0 ? null : [...new Set(ends)].join(" – ");
}

/** Cuts at a word boundary near the limit, otherwise mid-word; counts code points. */
export function truncate(text: string, limit: number): string {
  const characters = Array.from(text);
  if (characters.length <= limit) {
    return text;
  }
  const cut = characters.slice(0, limit - 1).join("");
  const space = cut.lastIndexOf(" ");
  return `${(space > limit * 0.7 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

/** "4:05". */
export function formatCountdown(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** Two letters for an avatar, from the name or the email address. */
export function initials(name: string | null, email: string): string {
  const words = (name ?? "").trim().split(/\s+/).filter(Boolean);
  const source = words.length > 0 ? words : (email.split("@")[0] ?? "").split(/[._-]+/);
  const first = Array.from(source[0] ?? "?")[0] ?? "?";
  const last = source.length > 1 ? (Array.from(source.at(-1) ?? "")[0] ?? "") : "";
  return (first + last).toUpperCase();
}

// Order matters: Edge also claims Chrome, and all of them claim Safari.
const BROWSERS = [
  ["Edg/", "Edge"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;
const SYSTEMS = [
  ["Windows", "Windows"],
  ["iPhone", "iOS"],
  ["iPad", "iOS"],
  ["Android", "Android"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
] as const;

/** "Chrome on Linux" from a user agent; null when it is not recognised. */
export function describeUserAgent(agent: string | null): string | null {
  if (agent === null) {
    return null;
  }
  const browser = BROWSERS.find(([mark]) => agent.includes(mark))?.[1];
  const system = SYSTEMS.find(([mark]) => agent.includes(mark))?.[1];
  if (browser === undefined) {
    return null;
  }
  return system === undefined ? browser : i18n.t("format.browserOn", { browser, system });
}
