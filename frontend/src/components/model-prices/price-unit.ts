import { useSyncExternalStore } from "react";
import type { TokenCount } from "@/lib/format";

const KEY = "edison-price-unit";
const listeners = new Set<() => void>();

function stored(): TokenCount {
  try {
    return localStorage.getItem(KEY) === "thousand" ? "thousand" : "million";
  } catch {
    return "million";
  }
}

export function setPriceUnit(unit: TokenCount): void {
  try {
    localStorage.setItem(KEY, unit);
  } catch {
    // Without storage the choice cannot be kept.
  }
  listeners.forEach((listener) => listener());
}

/** Per how many tokens prices are shown; remembered on this device. */
export function usePriceUnit(): TokenCount {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, stored);
}
