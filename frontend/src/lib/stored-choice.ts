import { useSyncExternalStore } from "react";

export interface StoredChoice<V extends string> {
  get: () => V;
  set: (value: V) => void;
  use: () => V;
}

/** A choice that is stored in the browser and shared by all components that show it. */
export function storedChoice<V extends string>(
  key: string,
  values: readonly V[],
  fallback: V,
): StoredChoice<V> {
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const get = (): V => {
    try {
      const stored = localStorage.getItem(key);
      return values.find((value) => value === stored) ?? fallback;
    } catch {
      return fallback;
    }
  };
  const set = (value: V) => {
    try {
      localStorage.setItem(key, value);
    } catch {
      // Without storage, the fallback applies.
    }
    listeners.forEach((listener) => listener());
  };
  return { get, set, use: () => useSyncExternalStore(subscribe, get) };
}
