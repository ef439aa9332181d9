import type { TFunction } from "i18next";
import { memo, useCallback, useSyncExternalStore, type ComponentType } from "react";
import type { CellTools } from "./cell-tools";
import type { ColumnSource, GridShape, Metric, Missing, Waits } from "./columns";
import { ResultCell } from "./result-cell";
import type { RowStore } from "./row-store";
import { cellKey, UNKNOWN_ROW, type CaseInfo, type KnownRow } from "./rows";

export interface RowHeaderProps {
  /** Null while it is unknown. */
  info: CaseInfo | null;
  position: number;
  /** It is hovered or focused. */
  isHandy: boolean;
}

/** Properties shared by all rows of a grid. */
export interface RowLook {
  store: RowStore;
  shape: GridShape;
  width: number;
  columns: readonly ColumnSource[];
  /** Indexes of the rendered columns. */
  shown: readonly number[];
  columnWidth: number;
  missing: Missing;
  waits: Waits;
  metric: Metric;
  tools: CellTools | null;
  Header: ComponentType<RowHeaderProps>;
  t: TFunction;
}

export interface GridRowProps {
  look: RowLook;
  index: number;
  start: number;
  /** Undefined until the case of this row is known. */
  position: number | undefined;
  /** Column of the cell in the tab order; the case is column 0. */
  activeColumn: number | null;
  focusedColumn: number | null;
  pointedColumn: number | null;
  explainedColumn: number | null;
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

/** Why this cell is missing. */
function missingIn(row: KnownRow, column: ColumnSource, missing: Missing): Missing {
  if (column.variant === null) {
    return "idle";
  }
  // Whether a cell is missing is known only after the row was read.
  return row.info === null ? "coming" : missing;
}

/** Rows have no handlers: the grid handles clicks and keys by data attributes of rows and cells. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { look, index, start, position, activeColumn } = props;
  const { shape, columns, columnWidth, Header } = look;
  const row = useRow(look.store, position);
  const isHandy = (column: number) =>
    props.pointedColumn === column || props.focusedColumn === column;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-row={index}
      style={{ transform: `translateY(${start}px)`, height: shape.row, width: look.width }}
      className="absolute top-0 left-0 border-b border-border bg-raised contain-strict"
    >
      <div
        role="rowheader"
        aria-colindex={1}
        data-column={0}
        tabIndex={activeColumn === 0 ? 0 : -1}
        style={{ width: shape.firstColumn }}
        className="sticky left-0 z-10 h-full overflow-hidden border-r border-border bg-surface -outline-offset-2"
      >
        <Header info={row.info} position={position ?? index} isHandy={isHandy(0)} />
      </div>
      {look.shown.map((each) => {
        const column = columns[each];
        if (column === undefined) {
          return null;
        }
        const key = column.variant === null ? "" : cellKey(column.variant, column.repeat);
        return (
          <ResultCell
            key={column.key}
            column={each + 1}
            left={shape.firstColumn + each * columnWidth}
            width={columnWidth}
            cell={row.cells[key]}
            draft={row.drafts[key]}
            missing={missingIn(row, column, look.missing)}
            wait={column.variant === null ? undefined : look.waits[column.variant]}
            metric={look.metric}
            tools={look.tools}
            t={look.t}
            isActive={activeColumn === each + 1}
            isHandy={isHandy(each + 1)}
            isExplained={props.explainedColumn === each + 1}
          />
        );
      })}
    </div>
  );
});
