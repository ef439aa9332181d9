import { useEffect, useRef } from "react";

/** Keys are "mod+k", "?" or a sequence such as "g p". */
export type Bindings = Record<string, () => void>;

const SEQUENCE_WINDOW = 1000;

/**
 * All active bindings, so that the last key of a sequence does not trigger a single-key binding.
 */
const listeners = new Set<{ readonly current: Bindings }>();
const isBound = (sequence: string) =>
  [...listeners].some(({ current }) => current[sequence] !== undefined);

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    ((target.isContentEditable && target.ariaReadOnly !== "true") ||
      ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName) ||
      target.closest('[role="dialog"], [role="menu"], [role="listbox"]') !== null)
  );
}

export interface ShortcutOptions {
  /** A key that is held down counts once. */
  ignoresRepeat?: true;
}

export function useShortcuts(bindings: Bindings, { ignoresRepeat }: ShortcutOptions = {}): void {
  const latest = useRef(bindings);
  useEffect(() => {
    latest.current = bindings;
  });
  useEffect(() => {
    let previous = { key: "", at: 0 };
    const onKeyDown = (event: KeyboardEvent) => {
      const modified = event.metaKey || event.ctrlKey;
      if (event.repeat && ignoresRepeat === true) {
        return;
      }
      if (event.altKey || event.isComposing || (!modified && isTyping(event.target))) {
        return;
      }
      const key = modified ? `mod+${event.key.toLowerCase()}` : event.key;
      const sequence =
        event.timeStamp - previous.at < SEQUENCE_WINDOW ? `${previous.key} ${key}` : "";
      previous = { key, at: event.timeStamp };
      const run = latest.current[isBound(sequence) ? sequence : key];
      if (run !== undefined) {
        event.preventDefault();
        run();
      }
    };
    listeners.add(latest);
    document.addEventListener("keydown", onKeyDown);
    return () => {
      listeners.delete(latest);
      document.removeEventListener("keydown", onKeyDown);
    };
  }, [ignoresRepeat]);
}

export const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
export const modKey = isApple ? "⌘" : "Ctrl";
