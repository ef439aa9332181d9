import { useEffect } from "react";
import { focusNearby, isVisible, placeOf, type Place } from "./nearby-focus";

// These return the focus themselves when they close.
const OVERLAYS = "[role=dialog], [role=alertdialog], [role=menu], [role=listbox]";

/**
 * Moves the focus to a neighbour when the focused element is removed or hidden, as a deleted row is. Without
 * it, the browser would give the focus to the document, and Tab would start from its top again.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Place | null = null;
    let isClosing = false;
    const isFocusLost = () =>
      document.activeElement === null || document.activeElement === document.body;
    // Sets `last` again, unless the page is not there yet: then the next change tries again.
    const recover = () => {
      if (last !== null && isFocusLost()) {
        focusNearby(last);
      }
    };
    const onFocused = ({ target }: FocusEvent) => {
      last = target instanceof Element && target !== document.body ? placeOf(target) : null;
      isClosing = false;
    };
    const onBlurred = () =>
      queueMicrotask(() => {
        if (last?.element.isConnected !== true || !isFocusLost()) {
          return;
        }
        if (isVisible(last.element)) {
          // A click beside all controls takes the focus away on purpose.
          last = null;
        } else {
          recover();
        }
      });
    const observer = new MutationObserver(() => {
      if (last === null || last.element.isConnected) {
        return;
      }
      if (!isClosing && last.element.closest(OVERLAYS) !== null) {
        isClosing = true;
      } else {
        recover();
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
