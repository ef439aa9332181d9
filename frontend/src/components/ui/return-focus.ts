import { useInsertionEffect, useRef } from "react";
import { focusNearby, placeOf, type Place } from "./nearby-focus";

/** The focused element; for an entry of a menu, which is about to close, the menu's button. */
function focusedElement(): Element | null {
  const { activeElement } = document;
  const buttonId = activeElement?.closest("[role=menu]")?.getAttribute("aria-labelledby") ?? null;
  return buttonId === null ? activeElement : document.getElementById(buttonId);
}

/** Whether a dialog that opened meanwhile has the focus. */
function isInNewerDialog(opener: Element): boolean {
  const dialog = document.activeElement?.closest("[role=dialog], [role=alertdialog]") ?? null;
  return dialog !== null && !dialog.contains(opener);
}

/**
 * Restores the focus when a dialog closes. Radix does so only for dialogs with their own trigger;
 * ours are opened by state. When the opener no longer exists, what was nearest to it gets the focus.
 */
export function useReturnFocus(open: boolean) {
  const opener = useRef<Place | null>(null);
  const remember = () => {
    const element = focusedElement();
    opener.current = element === null ? null : placeOf(element);
  };
  // A field with autofocus has the focus before Radix reads it: only this effect runs earlier.
  useInsertionEffect(() => {
    if (open) {
      remember();
    }
  }, [open]);
  return {
    // A menu closing at the same time has returned the focus to its button, which persists.
    onOpenAutoFocus: ({ currentTarget }: Event) => {
      if (!(currentTarget instanceof Element && currentTarget.contains(document.activeElement))) {
        remember();
      }
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      const place = opener.current;
      if (place === null || isInNewerDialog(place.element)) {
        return;
      }
      if (place.element instanceof HTMLElement && place.element.isConnected) {
        place.element.focus({ preventScroll: true });
      } else if (document.activeElement?.matches("body, #main-content")) {
        // Nothing closer has the focus yet, such as the opener of a drawer that closes too.
        focusNearby(place);
      }
    },
  };
}
