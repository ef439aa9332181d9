import { formatCost } from "./format";
import { i18n } from "./i18n";

/**
 * Formats a cost; "unknown" without an amount, or when the amount is zero and some calls have no
 * price.
 */
export function formatSpent(amount: string | null, unpricedCount = 0): string {
  const isKnown = amount !== null && (unpricedCount === 0 || Number(amount) > 0);
  return isKnown ? formatCost(amount) : i18n.t("ui.unknown");
}

/** Mean over the calls with a known cost; null when there are none. */
export function meanCost(amount: string, count: number, unpricedCount: number): number | null {
  const priced = count - unpricedCount;
  return priced > 0 ? Number(amount) / priced : null;
}
