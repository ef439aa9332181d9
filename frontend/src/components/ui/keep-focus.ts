import { useEffect } from "react";
import { focusNearby, placeOf, type Place } from "./nearby-focus";

// These return the focus themselves when they close.
const OVERLAYS = "[role=dialog], [role=alertdialog], [role=menu], [role=listbox]";

/**
 * Moves the focus to a neighbour when the focused element is removed, as a deleted row is. Without
 * it, the browser would give the focus to the document, and Tab would start from its top again.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Place | null = null;
    const isFocusLost = () =>
      document.activeElement === null || document.activeElement === document.body;
    const onFocused = ({ target }: FocusEvent) => {
      last = target instanceof Element && target !== document.body ? placeOf(target) : null;
    };
    // A click beside all controls takes the focus away on purpose: the element is still there.
    const onBlurred = () =>
      queueMicrotask(() => {
        if (last?.element.isConnected === true && isFocusLost()) {
          last = null;
        }
      });
    const observer = new MutationObserver(() => {
      if (last === null || last.element.isConnected) {
        return;
      }
      const place = last;
      last = null;
      if (isFocusLost() && place.element.closest(OVERLAYS) === null) {
        focusNearby(place);
      }
    });
    document.addEventListener("focusin", onFocused);
    document.addEventListener("focusout", onBlurred);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener("focusin", onFocused);
      document.removeEventListener("focusout", onBlurred);
      observer.disconnect();
    };
  }, []);
}
