/**
 * How scores are written. Data and API hold them as 0 to 1; every page shows them out of 10, a
 * difference of scores on the same scale with its sign.
 */

/** "8.2": for intervals, axes and tables that name the scale themselves. */
export function outOfTen(value: number): string {
  return (value * 10).toFixed(1);
}

/** "8.2/10". */
export function formatScore(value: number): string {
  return `${outOfTen(value)}/10`;
}

/** "+0.4", "−1.2", "±0.0": a difference of scores. */
export function changeOutOfTen(value: number): string {
  const text = outOfTen(Math.abs(value));
  if (text === "0.0") {
    return "±0.0";
  }
  return `${value > 0 ? "+" : "−"}${text}`;
}
