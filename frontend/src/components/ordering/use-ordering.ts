import { useEffect, useRef, useState, type RefObject } from "react";
import { handleId } from "./move-handle";
import { moved } from "./moved";
import { useDragOrder } from "./use-drag-order";

interface OrderingProps<Item> {
  list: RefObject<HTMLElement | null>;
  items: readonly Item[];
  /** Announcement of a move; positions count from 1. */
  announce: (places: { from: number; to: number }) => string;
  onChanged: (items: readonly Item[]) => void;
}

/**
 * Reorders items by pointer or keyboard, announces moves, and restores the focus that a moved
 * element loses.
 */
export function useOrdering<Item extends { key: string }>(props: OrderingProps<Item>) {
  const { list, items, announce, onChanged } = props;
  const [announcement, setAnnouncement] = useState("");
  const focused = useRef<string | null>(null);
  useEffect(() => {
    if (focused.current !== null) {
      document.getElementById(handleId(focused.current))?.focus();
      focused.current = null;
    }
  }, [items]);
  const move = (from: number, to: number) => {
    const item = items[from];
    if (item === undefined || to < 0 || to >= items.length || from === to) {
      return;
    }
    focused.current = item.key;
    setAnnouncement(announce({ from: from + 1, to: to + 1 }));
    onChanged(moved(items, from, to));
  };
  return { move, announcement, drag: useDragOrder(list, move) };
}
