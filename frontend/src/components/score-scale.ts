import { formatDecimal } from "@/lib/format";

/**
 * Formatting of scores. Data and API hold 0 to 1; pages show scores out of 10, and differences on
 * the same scale with a sign.
 */

/** "8.2": for intervals, axes and tables that show the scale elsewhere. */
export function outOfTen(value: number): string {
  return formatDecimal(value * 10, 1);
}

/** "8.2/10". */
export function formatScore(value: number): string {
  return `${outOfTen(value)}/10`;
}

/** "+0.4", "−1.2", "±0.0": a difference of scores. */
export function changeOutOfTen(value: number): string {
  const text = outOfTen(Math.abs(value));
  if (text === outOfTen(0)) {
    return `±${text}`;
  }
  return `${value > 0 ? "+" : "−"}${text}`;
}
