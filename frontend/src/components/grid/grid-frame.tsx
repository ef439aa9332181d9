import type { ReactNode } from "react";
import type { GridShape, ResultColumn } from "./columns";

export interface FrameRowProps {
  columns: readonly ResultColumn[];
  /** Indexes of the rendered columns. */
  shown: readonly number[];
  shape: GridShape;
  columnWidth: number;
  width: number;
}

/** A row that stays in view at the top or bottom. */
interface StickyRowProps extends FrameRowProps {
  edge: "top" | "bottom";
  role: "columnheader" | "gridcell";
  rowIndex: number;
  height: number;
  first: ReactNode;
  of: (column: ResultColumn) => ReactNode;
}

const EDGES = { top: "top-0 border-b", bottom: "bottom-0 border-t" } as const;

function StickyRow(props: StickyRowProps) {
  const { columns, shown, shape, columnWidth, role } = props;
  return (
    <div
      role="rowgroup"
      className={`sticky z-20 border-border ${EDGES[props.edge]}`}
      style={{ width: props.width }}
    >
      <div
        role="row"
        aria-rowindex={props.rowIndex}
        style={{ height: props.height }}
        className="relative bg-surface text-xs font-medium text-ink-muted"
      >
        <div
          role={role === "columnheader" ? "columnheader" : "rowheader"}
          aria-colindex={1}
          style={{ width: shape.firstColumn }}
          className="sticky left-0 z-10 flex h-full items-center justify-start overflow-hidden border-r border-border bg-surface px-3"
        >
          {props.first}
        </div>
        {shown.map((index) => {
          const column = columns[index];
          return column === undefined ? null : (
            <div
              key={column.key}
              role={role}
              aria-colindex={index + 2}
              aria-sort={role === "columnheader" ? column.sorted : undefined}
              style={{ left: shape.firstColumn + index * columnWidth, width: columnWidth }}
              className="absolute inset-y-0 flex flex-col justify-center overflow-hidden border-r border-border px-3"
            >
              {props.of(column)}
            </div>
          );
        })}
      </div>
    </div>
  );
}

export function HeaderRow(props: FrameRowProps & { title: string }) {
  return (
    <StickyRow
      {...props}
      edge="top"
      role="columnheader"
      rowIndex={1}
      height={props.shape.header}
      first={<span className="truncate">{props.title}</span>}
      of={(column) => column.header}
    />
  );
}

export const SUMMARY_HEIGHT = 48;

/** Summary of each column. */
export function SummaryRow(props: FrameRowProps & { title: ReactNode; rowCount: number }) {
  return (
    <StickyRow
      {...props}
      edge="bottom"
      role="gridcell"
      rowIndex={props.rowCount + 2}
      height={SUMMARY_HEIGHT}
      first={props.title}
      of={(column) => <span data-metric>{column.summary}</span>}
    />
  );
}
