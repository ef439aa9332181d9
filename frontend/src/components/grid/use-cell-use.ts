import { useCallback, useState, type FocusEvent, type PointerEvent } from "react";
import type { CellPosition } from "./move-cell";

/** Cell of an event target; null outside of cells. */
export function cellAt(target: EventTarget | null): CellPosition | null {
  const element = target instanceof Element ? target : null;
  const column = element?.closest<HTMLElement>("[data-column]")?.dataset.column;
  const row = element?.closest<HTMLElement>("[data-row]")?.dataset.row;
  return row === undefined || column === undefined
    ? null
    : { row: Number(row), column: Number(column) };
}

function isSame(one: CellPosition | null, other: CellPosition | null): boolean {
  return one?.row === other?.row && one?.column === other?.column;
}

/** The cell's column if it is in this row. */
export function columnIn(row: number, cell: CellPosition | null): number | null {
  return cell?.row === row ? cell.column : null;
}

/** Hovered cell, grid focus, and the cell whose grader reasons are shown. */
export function useCellUse(onFocused: (cell: CellPosition) => void) {
  const [pointed, setPointed] = useState<CellPosition | null>(null);
  const [isFocused, setFocused] = useState(false);
  const [explained, setExplained] = useState<CellPosition | null>(null);
  const point = (cell: CellPosition | null) => {
    setPointed((known) => (isSame(known, cell) ? known : cell));
    // Leaving a cell hides its reasons.
    setExplained((known) => (isSame(known, cell) ? known : null));
  };
  const explain = useCallback(
    (cell: CellPosition | null) => setExplained((known) => (isSame(known, cell) ? null : cell)),
    [],
  );
  const handlers = {
    onPointerOver: (event: PointerEvent) => {
      // Touch has no hover: a tap opens the cell.
      if (event.pointerType !== "touch") {
        point(cellAt(event.target));
      }
    },
    onPointerLeave: () => point(null),
    onFocus: (event: FocusEvent) => {
      const cell = cellAt(event.target);
      setFocused(cell !== null);
      if (cell !== null) {
        onFocused(cell);
      }
    },
    onBlur: (event: FocusEvent<HTMLElement>) =>
      setFocused(event.currentTarget.contains(event.relatedTarget)),
  };
  return { pointed, isFocused, explained, explain, handlers };
}
