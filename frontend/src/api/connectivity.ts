import { useSyncExternalStore } from "react";

/** online: the server responds; unavailable: it responds with 503; unreachable: no response. */
export type Connectivity = "online" | "unavailable" | "unreachable";

let current: Connectivity = "online";
const listeners = new Set<() => void>();

export function reportConnectivity(next: Connectivity): void {
  if (next !== current) {
    current = next;
    listeners.forEach((listener) => listener());
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useConnectivity(): Connectivity {
  return useSyncExternalStore(subscribe, () => current);
}

/** Checks once whether the server is ready; never throws. */
export async function probe(): Promise<Connectivity> {
  try {
    const response = await globalThis.fetch("/api/readiness", { cache: "no-store" });
    reportConnectivity(response.ok ? "online" : "unavailable");
  } catch {
    reportConnectivity("unreachable");
  }
  return current;
}
