import { useRef } from "react";

/**
 * Gives the focus back when a dialog closes. Radix does so only for dialogs with a trigger of
 * their own; ours are opened by state. What opened it may be gone by then: the page takes over.
 */
export function useReturnFocus() {
  const opener = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      opener.current = document.activeElement;
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
