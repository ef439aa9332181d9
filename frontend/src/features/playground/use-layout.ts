import { useCallback, useEffect, useReducer, useRef } from "react";
import { readLayout, reduceLayout, writeLayout } from "./layout-state";

/**
 * Layout of the page, stored in the browser. Layout changes wait while a mouse button is down, so
 * that click targets do not move.
 */
export function useLayout() {
  const [state, dispatch] = useReducer(reduceLayout, null, readLayout);
  const pressed = useRef(false);
  const waiting = useRef<(() => void) | null>(null);
  useEffect(() => writeLayout(state), [state]);
  useEffect(() => {
    const onDown = () => {
      pressed.current = true;
    };
    const onUp = () => {
      pressed.current = false;
      const next = waiting.current;
      waiting.current = null;
      // The click event fires after the button is released.
      setTimeout(() => next?.(), 0);
    };
    document.addEventListener("pointerdown", onDown, true);
    document.addEventListener("pointerup", onUp, true);
    document.addEventListener("pointercancel", onUp, true);
    return () => {
      document.removeEventListener("pointerdown", onDown, true);
      document.removeEventListener("pointerup", onUp, true);
      document.removeEventListener("pointercancel", onUp, true);
    };
  }, []);
  const whenReleased = useCallback((act: () => void) => {
    if (pressed.current) {
      waiting.current = act;
    } else {
      act();
    }
  }, []);
  const edit = useCallback(() => whenReleased(() => dispatch({ type: "editing" })), [whenReleased]);
  const look = useCallback(() => whenReleased(() => dispatch({ type: "looking" })), [whenReleased]);
  return { state, dispatch, edit, look };
}
