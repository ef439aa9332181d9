import { useSyncExternalStore } from "react";

/** Whether editors wrap long lines: one choice for all of them, remembered by the browser. */
const KEY = "edison-editor-wrap";
const listeners = new Set<() => void>();

function isWrapping(): boolean {
  try {
    return localStorage.getItem(KEY) !== "off";
  } catch {
    return true;
  }
}

export function toggleWrapping(): void {
  try {
    localStorage.setItem(KEY, isWrapping() ? "off" : "on");
  } catch {
    // Without storage long lines stay wrapped.
  }
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useWrapping(): boolean {
  return useSyncExternalStore(subscribe, isWrapping);
}
