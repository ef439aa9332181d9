import type { KeyboardEvent } from "react";

const BOXES = "[role=checkbox]:not([disabled])";

/** Arrow keys of a list of checkboxes below a search box; Escape empties the search box. */
export function onListKeyDown(event: KeyboardEvent<HTMLElement>, onSearchEmptied: () => void) {
  const { key, target, currentTarget } = event;
  const isSearch = target instanceof HTMLInputElement && target.type === "text";
  const isBox = target instanceof HTMLElement && target.matches(BOXES);
  if (!isSearch && !isBox) {
    return;
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (step !== undefined) {
    const search = currentTarget.querySelector<HTMLElement>("input");
    const stops = [
      ...(search === null ? [] : [search]),
      ...currentTarget.querySelectorAll<HTMLElement>(BOXES),
    ];
    event.preventDefault();
    stops[stops.indexOf(target) + step]?.focus();
  } else if (isSearch && key === "Escape" && target.value !== "") {
    // A dialog around the list would close.
    event.preventDefault();
    event.stopPropagation();
    onSearchEmptied();
  } else if (isSearch && key === "Enter") {
    // A form around the list would be sent.
    event.preventDefault();
  }
}
