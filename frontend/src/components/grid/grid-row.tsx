import { memo, useCallback, useSyncExternalStore } from "react";
import type { Cell } from "@/api/types";
import { cn } from "@/lib/cn";
import { CaseHeader } from "./case-header";
import {
  FIRST_COLUMN_WIDTH,
  ROW_HEIGHT,
  type Metric,
  type Missing,
  type ResultColumn,
} from "./columns";
import { CellContent } from "./result-cell";
import type { RowStore } from "./row-store";
import { cellKey, UNKNOWN_ROW, type KnownRow, type Weighted } from "./rows";

const GROUNDS: Record<Cell["status"], string> = {
  ok: "hover:bg-surface",
  error: "inset-ring inset-ring-danger/60 hover:bg-surface",
  malformed: "bg-warning-bg/50 hover:bg-warning-bg",
};

export interface GridRowProps {
  index: number;
  start: number;
  width: number;
  /** Undefined while it is unknown which case stands here. */
  position: number | undefined;
  store: RowStore;
  columns: readonly ResultColumn[];
  /** Which of them exist at the moment. */
  shown: readonly number[];
  columnWidth: number;
  /** The column of the cell that has the focus, or would get it; the case is column 0. */
  activeColumn: number | null;
  missing: Missing;
  metric: Metric;
  scorers: readonly Weighted[];
}

function useRow(store: RowStore, position: number | undefined): KnownRow {
  const subscribe = useCallback(
    (listener: () => void) =>
      position === undefined ? () => undefined : store.subscribe(position, listener),
    [store, position],
  );
  return useSyncExternalStore(
    subscribe,
    () => (position === undefined ? undefined : store.get(position)) ?? UNKNOWN_ROW,
  );
}

function ResultCell(props: GridRowProps & { row: KnownRow; columnIndex: number }) {
  const { row, columnIndex, columns, columnWidth, activeColumn } = props;
  const column = columns[columnIndex];
  const cell = column === undefined ? undefined : row.cells[cellKey(column.variant, column.repeat)];
  return (
    <div
      role="gridcell"
      aria-colindex={columnIndex + 2}
      data-column={columnIndex + 1}
      tabIndex={activeColumn === columnIndex + 1 ? 0 : -1}
      style={{ left: FIRST_COLUMN_WIDTH + columnIndex * columnWidth, width: columnWidth }}
      className={cn(
        "absolute inset-y-0 overflow-hidden border-r border-border px-3 py-2.5 text-sm -outline-offset-2",
        cell === undefined ? "" : cn("cursor-pointer", GROUNDS[cell.status]),
      )}
    >
      <CellContent
        cell={cell}
        // Whether a cell is missing is known only once the row has been read.
        missing={row.info === null ? "coming" : props.missing}
        metric={props.metric}
        scorers={props.scorers}
      />
    </div>
  );
}

/** Clicks and keys are read by the grid as a whole, from the marks that rows and cells carry. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { index, start, position, store, activeColumn } = props;
  const row = useRow(store, position);
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-row={index}
      style={{ transform: `translateY(${start}px)`, height: ROW_HEIGHT, width: props.width }}
      className="absolute top-0 left-0 border-b border-border bg-raised"
    >
      <div
        role="rowheader"
        aria-colindex={1}
        data-column={0}
        tabIndex={activeColumn === 0 ? 0 : -1}
        style={{ width: FIRST_COLUMN_WIDTH }}
        className="sticky left-0 z-10 h-full overflow-hidden border-r border-border bg-surface px-3 py-2.5 -outline-offset-2"
      >
        <CaseHeader info={row.info} position={position ?? index} />
      </div>
      {props.shown.map((columnIndex) => (
        <ResultCell key={columnIndex} {...props} row={row} columnIndex={columnIndex} />
      ))}
    </div>
  );
});
