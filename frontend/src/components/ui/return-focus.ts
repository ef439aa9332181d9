import { useInsertionEffect, useRef } from "react";

/**
 * Gives the focus back when a dialog closes. Radix does so only for dialogs with a trigger of
 * their own; ours are opened by state. What opened it may be gone by then: the page takes over.
 */
export function useReturnFocus(open: boolean) {
  const opener = useRef<Element | null>(null);
  // A field that asks for the focus has it before Radix looks: only this effect comes earlier.
  useInsertionEffect(() => {
    if (open) {
      opener.current = document.activeElement;
    }
  }, [open]);
  return {
    // A menu that closes meanwhile has given the focus to its button, which stays.
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
