/** A cell by row and column, both zero-based. */
export interface CellPosition {
  row: number;
  column: number;
}

export interface GridSize {
  rows: number;
  columns: number;
  /** Number of rows that a page key moves. */
  rowsPerPage: number;
}

const clamp = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));

/** Target cell of a navigation key; null for other keys. */
export function moveCell(
  from: CellPosition,
  key: string,
  withControl: boolean,
  size: GridSize,
): CellPosition | null {
  const { row, column } = from;
  const at = (nextRow: number, nextColumn: number): CellPosition => ({
    row: clamp(nextRow, size.rows),
    column: clamp(nextColumn, size.columns),
  });
  switch (key) {
    case "ArrowUp":
      return at(withControl ? 0 : row - 1, column);
    case "ArrowDown":
      return at(withControl ? size.rows : row + 1, column);
    case "ArrowLeft":
      return at(row, withControl ? 0 : column - 1);
    case "ArrowRight":
      return at(row, withControl ? size.columns : column + 1);
    case "Home":
      return at(withControl ? 0 : row, 0);
    case "End":
      return at(withControl ? size.rows : row, size.columns);
    case "PageUp":
      return at(row - size.rowsPerPage, column);
    case "PageDown":
      return at(row + size.rowsPerPage, column);
    default:
      return null;
  }
}
