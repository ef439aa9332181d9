import { useEffect, useRef } from "react";
import type { AnnotationQueue } from "@/api/types";

export type AnnotationCommand = "submit" | "comment" | "skip" | "undo" | "form" | "up" | "down";

/** Command of a key in a queue; null when the key has none. */
export function commandForKey(
  queue: AnnotationQueue,
  key: string,
): AnnotationCommand | number | null {
  const commands: Record<string, AnnotationCommand> = {
    Enter: "submit",
    c: "comment",
    s: "skip",
    u: "undo",
    m: "form",
  };
  if (queue.question === "rating") {
    if (/^[1-5]$/.test(key)) {
      return Number(key);
    }
  } else {
    const answers: Record<string, number> = { p: 1, f: 0 };
    if (queue.criteria === null) {
      answers.ArrowUp = 1;
      answers.ArrowDown = 0;
    }
    const answer = answers[key];
    if (answer !== undefined) {
      return answer;
    }
  }
  if (queue.criteria !== null && (key === "ArrowUp" || key === "ArrowDown")) {
    return key === "ArrowUp" ? "up" : "down";
  }
  return commands[key] ?? null;
}

const TYPING = 'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"]';
/** These elements handle Enter themselves; arrows move within a group. */
const OWN_ENTER = "button:not([role=radio]), a, summary";
const OWN_ARROWS = "[role=radiogroup], pre";
/** Ignores the second key of a sequence such as "g s". Milliseconds. */
const SEQUENCE_WINDOW = 1000;

function isShortcutTarget(event: KeyboardEvent): boolean {
  const { target } = event;
  if (event.altKey || event.ctrlKey || event.metaKey || event.isComposing || event.repeat) {
    return false;
  }
  if (!(target instanceof Element)) {
    return true;
  }
  if (target.closest(TYPING) !== null) {
    return false;
  }
  if (event.key === "Enter") {
    return target.closest(OWN_ENTER) === null;
  }
  return !event.key.startsWith("Arrow") || target.closest(OWN_ARROWS) === null;
}

export interface AnnotationKeysOptions {
  queue: AnnotationQueue;
  onCommand: (command: AnnotationCommand) => void;
  onAnswered: (answer: number) => void;
}

/** Listens on the whole page, so that no element needs the focus. */
export function useAnnotationKeys(options: AnnotationKeysOptions): void {
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  useEffect(() => {
    let leftFor = -SEQUENCE_WINDOW;
    const onKeyDown = (event: KeyboardEvent) => {
      const isSecond = event.timeStamp - leftFor < SEQUENCE_WINDOW;
      leftFor = event.key === "g" ? event.timeStamp : -SEQUENCE_WINDOW;
      if (isSecond || !isShortcutTarget(event)) {
        return;
      }
      const meaning = commandForKey(latest.current.queue, event.key);
      if (meaning === null) {
        return;
      }
      event.preventDefault();
      if (typeof meaning === "number") {
        latest.current.onAnswered(meaning);
      } else {
        latest.current.onCommand(meaning);
      }
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}
