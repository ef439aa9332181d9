import { useEffect, useRef } from "react";
import type { Place } from "./run-request";

/** Id of the button that switches prompts. */
export const SWITCHER = "playground-prompt";

const SELECTORS: Record<Exclude<Place["kind"], "column">, readonly string[]> = {
  prompt: ["#playground-editor [role=tabpanel]:not([hidden]) .cm-content"],
  dataset: ["#playground-dataset"],
  inputs: [
    "[id^=playground-input-]:placeholder-shown",
    "[id^=playground-input-]",
    "#playground-dataset",
  ],
  grader: ["#playground-grader"],
};

/** Focuses the field of an error. */
export function focusPlace(place: Place): void {
  const selectors =
    place.kind === "column"
      ? [
          `[role=grid] [role=columnheader][aria-colindex="${place.index + 2}"] button`,
          "[role=grid]",
        ]
      : SELECTORS[place.kind];
  const target = selectors
    .map((selector) => document.querySelector<HTMLElement>(selector))
    .find((element) => element !== null);
  target?.scrollIntoView({ block: "nearest", inline: "nearest" });
  target?.focus();
}

/**
 * Returns the focus to the button that switched prompts: each prompt has a page of its own, so the
 * button that had it is gone. The result is called when a prompt was chosen.
 */
export function useFocusOfSwitcher(): () => void {
  const isWanted = useRef(false);
  useEffect(() => {
    const button = document.getElementById(SWITCHER);
    if (isWanted.current && button !== null && document.activeElement === document.body) {
      isWanted.current = false;
      button.focus();
    }
  });
  return () => {
    isWanted.current = true;
  };
}
