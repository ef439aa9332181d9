import { useInsertionEffect, useRef } from "react";

/**
 * Restores the focus when a dialog closes. Radix does so only for dialogs with their own trigger;
 * ours are opened by state. Falls back to the page when the opener no longer exists.
 */
export function useReturnFocus(open: boolean) {
  const opener = useRef<Element | null>(null);
  // A field with autofocus has the focus before Radix reads it: only this effect runs earlier.
  useInsertionEffect(() => {
    if (open) {
      opener.current = document.activeElement;
    }
  }, [open]);
  return {
    // A menu closing at the same time has returned the focus to its button, which persists.
    onOpenAutoFocus: ({ currentTarget }: Event) => {
      const { activeElement } = document;
      if (!(currentTarget instanceof Element && currentTarget.contains(activeElement))) {
        opener.current = activeElement;
      }
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      const target =
        opener.current instanceof HTMLElement && opener.current.isConnected
          ? opener.current
          : document.getElementById("main-content");
      target?.focus({ preventScroll: true });
    },
  };
}
