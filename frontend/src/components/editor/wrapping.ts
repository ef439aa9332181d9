import { useSyncExternalStore } from "react";

/** Line wrapping setting, shared by all editors and stored in the browser. */
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
    // Without storage, wrapping stays on.
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
