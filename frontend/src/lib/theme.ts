import { useSyncExternalStore } from "react";

export const THEMES = ["light", "dark", "system"] as const;
export type Theme = (typeof THEMES)[number];

// Same key and rule as in public/theme.js, which runs before the first paint.
const KEY = "edison-theme";
const listeners = new Set<() => void>();

function stored(): Theme {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : "system";
  } catch {
    return "system";
  }
}

function prefersDark(): boolean {
  return window.matchMedia("(prefers-color-scheme: dark)").matches;
}

function resolveTheme(theme: Theme): "light" | "dark" {
  return theme === "system" ? (prefersDark() ? "dark" : "light") : theme;
}

function apply(): void {
  document.documentElement.classList.toggle("dark", resolveTheme(stored()) === "dark");
  listeners.forEach((listener) => listener());
}

export function setTheme(theme: Theme): void {
  try {
    if (theme === "system") {
      localStorage.removeItem(KEY);
    } else {
      localStorage.setItem(KEY, theme);
    }
  } catch {
    // Without storage the choice is lost on reload.
  }
  apply();
}

/** Follows the system theme and other tabs. */
export function watchTheme(): void {
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", apply);
  window.addEventListener("storage", (event) => {
    if (event.key === KEY) {
      apply();
    }
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The chosen theme. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, stored);
}

/** The theme on the screen, which may change while the choice stays the system's. */
export function useShownTheme(): "light" | "dark" {
  return useSyncExternalStore(subscribe, () => resolveTheme(stored()));
}
