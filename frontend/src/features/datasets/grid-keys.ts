import type { CellPosition } from "@/components/grid/move-cell";

/** Next editable cell along the row, then in the next row; null at the end. */
export function nextEditable(
  from: CellPosition,
  isEditable: readonly boolean[],
  rows: number,
  step: 1 | -1,
): CellPosition | null {
  const columns = isEditable.length;
  let place = from.row * columns + from.column + step;
  while (place >= 0 && place < rows * columns) {
    const column = place % columns;
    if (isEditable[column] === true) {
      return { row: Math.floor(place / columns), column };
    }
    place += step;
  }
  return null;
}
