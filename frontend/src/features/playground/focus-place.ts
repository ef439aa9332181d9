import type { Place } from "./run-request";

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
