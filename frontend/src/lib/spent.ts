import { formatCost } from "./format";
import { i18n } from "./i18n";

/** A cost; "unknown" without an amount, or where every priced part is zero and some have no price. */
export function formatSpent(amount: string | null, unpricedCount = 0): string {
  const isKnown = amount !== null && (unpricedCount === 0 || Number(amount) > 0);
  return isKnown ? formatCost(amount) : i18n.t("ui.unknown");
}

/** The mean of the calls whose cost is known; null where there is none. */
export function meanCost(amount: string, count: number, unpricedCount: number): number | null {
  const priced = count - unpricedCount;
  return priced > 0 ? Number(amount) / priced : null;
}
