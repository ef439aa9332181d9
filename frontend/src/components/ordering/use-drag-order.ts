import { useState, type PointerEvent, type RefObject } from "react";

/** Drop index: number of other items whose middle is above the pointer. */
export function indexAt(middles: readonly number[], dragged: number, y: number): number {
  return middles.filter((middle, index) => index !== dragged && middle < y).length;
}

/** Reorders a list by dragging an item's handle. */
export function useDragOrder(
  list: RefObject<HTMLElement | null>,
  onMoved: (from: number, to: number) => void,
) {
  const [dragged, setDragged] = useState<number | null>(null);
  const onPointerMove = (event: PointerEvent) => {
    if (dragged === null || list.current === null) {
      return;
    }
    const middles = Array.from(list.current.children, (child) => {
      const { top, height } = child.getBoundingClientRect();
      return top + height / 2;
    });
    const target = indexAt(middles, dragged, event.clientY);
    if (target !== dragged) {
      setDragged(target);
      onMoved(dragged, target);
    }
  };
  const end = () => setDragged(null);
  return {
    dragged,
    handleProps: (index: number) => ({
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (event.button === 0) {
          event.currentTarget.setPointerCapture(event.pointerId);
          setDragged(index);
        }
      },
      onPointerMove,
      onPointerUp: end,
      onPointerCancel: end,
    }),
  };
}

export type HandleProps = ReturnType<ReturnType<typeof useDragOrder>["handleProps"]>;
