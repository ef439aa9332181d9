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
    // Without storage the choice is lost on reload.
  }
  listeners.forEach((listener) => listener());
}

/** Token unit of prices; stored in the browser. */
export function usePriceUnit(): TokenCount {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, stored);
}
