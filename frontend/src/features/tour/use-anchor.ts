import { useEffect, useState } from "react";

const LOOK_MILLISECONDS = 200;
/** Distance to the edges of the window, for the frame. */
const EDGE = 10;

export interface Box {
  top: number;
  left: number;
  width: number;
  height: number;
}

const isSame = (one: Box | null, other: Box | null) =>
  JSON.stringify(one) === JSON.stringify(other);

/** The visible part of the element. */
function boxOf(element: Element): Box {
  const { top, left, right, bottom } = element.getBoundingClientRect();
  const [startY, startX] = [Math.max(EDGE, top), Math.max(EDGE, left)];
  return {
    top: startY,
    left: startX,
    width: Math.max(0, Math.min(innerWidth - EDGE, right) - startX),
    height: Math.max(0, Math.min(innerHeight - EDGE, bottom) - startY),
  };
}

/** The place of the first visible match in the window; null until it is there. Follows scrolling. */
export function useAnchor(selector: string): Box | null {
  const [box, setBox] = useState<Box | null>(null);
  useEffect(() => {
    let found: Element | null = null;
    const look = () => {
      if (found?.isConnected !== true) {
        const all = selector === "" ? [] : [...document.querySelectorAll(selector)];
        found = all.find((each) => each.getClientRects().length > 0) ?? null;
        found?.scrollIntoView({ block: "nearest" });
      }
      const next = found === null ? null : boxOf(found);
      setBox((known) => (isSame(known, next) ? known : next));
    };
    look();
    const timer = setInterval(look, LOOK_MILLISECONDS);
    addEventListener("scroll", look, { capture: true, passive: true });
    addEventListener("resize", look);
    return () => {
      clearInterval(timer);
      removeEventListener("scroll", look, { capture: true });
      removeEventListener("resize", look);
      setBox(null);
    };
  }, [selector]);
  return box;
}
