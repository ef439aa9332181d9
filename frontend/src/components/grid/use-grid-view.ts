import { defaultRangeExtractor, useVirtualizer, type Range } from "@tanstack/react-virtual";
import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from "react";
import { columnWidth, type GridShape } from "./columns";
import { moveCell, type CellPosition } from "./move-cell";
import type { RowRange } from "./row-pages";

/**
 * How long rows must stay in view before they are read, so that scrolling past reads nothing.
 * Milliseconds.
 */
const REST_MILLISECONDS = 60;

/** Keeps the focused row rendered, or scrolling would lose the focus. */
function withActive(range: Range, active: number): number[] {
  const shown = new Set(defaultRangeExtractor(range));
  if (active >= 0 && active < range.count) {
    shown.add(active);
  }
  return [...shown].sort((one, other) => one - other);
}

function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (element.current === null) {
      return undefined;
    }
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

function useDebouncedRange(range: RowRange, onRangeChanged: (range: RowRange) => void) {
  const { first, last } = range;
  useEffect(() => {
    const timer = setTimeout(() => onRangeChanged({ first, last }), REST_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [first, last, onRangeChanged]);
}

export interface GridView {
  shape: GridShape;
  rows: number;
  columns: number;
  onRangeChanged: (range: RowRange) => void;
}

/** Rendered rows and columns, and the focused cell. */
export function useGridView({ shape, rows, columns, onRangeChanged }: GridView) {
  const scroller = useRef<HTMLDivElement>(null);
  // Column 0 is the case.
  const [active, setActive] = useState<CellPosition>({ row: 0, column: 0 });
  const isFocusWanted = useRef(false);
  const width = columnWidth(shape, useWidth(scroller), columns);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by hand
  const down = useVirtualizer({
    count: rows,
    getScrollElement: () => scroller.current,
    estimateSize: () => shape.row,
    overscan: 2,
    // Both virtualisers handle every scroll event: batched, they cause one layout.
    useFlushSync: false,
    rangeExtractor: (range) => withActive(range, active.row),
  });
  const across = useVirtualizer({
    horizontal: true,
    count: columns,
    getScrollElement: () => scroller.current,
    estimateSize: () => width,
    scrollPaddingStart: shape.firstColumn,
    overscan: 1,
    useFlushSync: false,
    rangeExtractor: (range) => withActive(range, active.column - 1),
  });
  useEffect(() => across.measure(), [across, width]);
  useDebouncedRange(
    { first: down.range?.startIndex ?? 0, last: down.range?.endIndex ?? 0 },
    onRangeChanged,
  );

  useEffect(() => {
    if (isFocusWanted.current) {
      isFocusWanted.current = false;
      const cell = scroller.current?.querySelector<HTMLElement>(
        `[data-row="${active.row}"] [data-column="${active.column}"]`,
      );
      cell?.focus({ preventScroll: true });
      cell?.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  }, [active]);

  const goTo = (cell: CellPosition) => {
    isFocusWanted.current = true;
    setActive(cell);
  };
  /** Returns whether the key moved to another cell. */
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): boolean => {
    const moved = moveCell(active, event.key, event.ctrlKey || event.metaKey, {
      rows,
      columns: columns + 1,
      rowsPerPage: Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / shape.row) - 1),
    });
    if (moved === null || event.altKey) {
      return false;
    }
    event.preventDefault();
    goTo(moved);
    return true;
  };
  const activate = (cell: CellPosition) =>
    setActive((known) => (known.row === cell.row && known.column === cell.column ? known : cell));
  return { scroller, active, setActive: activate, width, down, across, onKeyDown };
}
