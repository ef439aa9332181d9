import { useMemo, useSyncExternalStore, type KeyboardEvent, type MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import type { Cell } from "@/api/types";
import { FIRST_COLUMN_WIDTH, type Metric, type Missing, type ResultColumn } from "./columns";
import { GridRow } from "./grid-row";
import type { CellPosition } from "./move-cell";
import type { RowPages } from "./row-pages";
import type { RowStore } from "./row-store";
import { cellKey, type Weighted } from "./rows";
import { useGridView } from "./use-grid-view";

const PLACEHOLDERS = 8;
const HEADER_HEIGHT = 60;

export interface ResultsGridProps {
  label: string;
  columns: readonly ResultColumn[];
  pages: RowPages;
  store: RowStore;
  missing: Missing;
  metric: Metric;
  scorers: readonly Weighted[];
  onCellOpened: (cell: Cell) => void;
}

interface HeaderProps {
  columns: readonly ResultColumn[];
  /** Which of them exist at the moment. */
  shown: readonly number[];
  columnWidth: number;
  width: number;
}

function Header({ columns, shown, columnWidth, width }: HeaderProps) {
  const { t } = useTranslation();
  return (
    <div role="rowgroup" className="sticky top-0 z-20" style={{ width }}>
      <div
        role="row"
        aria-rowindex={1}
        style={{ height: HEADER_HEIGHT }}
        className="relative border-b border-border bg-surface text-xs font-medium text-ink-muted"
      >
        <div
          role="columnheader"
          aria-colindex={1}
          style={{ width: FIRST_COLUMN_WIDTH }}
          className="sticky left-0 z-10 flex h-full items-center border-r border-border bg-surface px-3"
        >
          {t("runs.grid.case")}
        </div>
        {shown.map((index) => (
          <div
            key={index}
            role="columnheader"
            aria-colindex={index + 2}
            style={{ left: FIRST_COLUMN_WIDTH + index * columnWidth, width: columnWidth }}
            className="absolute inset-y-0 flex flex-col justify-center overflow-hidden border-r border-border px-3"
          >
            {columns[index]?.header}
          </div>
        ))}
      </div>
    </div>
  );
}

function cellAt(target: EventTarget | null): CellPosition | null {
  const element = target instanceof Element ? target : null;
  const column = element?.closest<HTMLElement>("[data-column]")?.dataset.column;
  const row = element?.closest<HTMLElement>("[data-row]")?.dataset.row;
  return row === undefined || column === undefined
    ? null
    : { row: Number(row), column: Number(column) };
}

/**
 * Answers by case and variant: as many as there are, of which only those in view exist. Arrow keys
 * move from cell to cell, Enter opens one.
 */
export function ResultsGrid(props: ResultsGridProps) {
  const { label, columns, pages, store, missing, metric, scorers } = props;
  const { total } = useSyncExternalStore(pages.subscribe, pages.getState);
  const rows = total ?? PLACEHOLDERS;
  const view = useGridView({ rows, columns: columns.length, onRangeChanged: pages.show });
  const { scroller, active, width: columnWidth, down, across } = view;
  const marks = across
    .getVirtualItems()
    .map((item) => item.index)
    .join();
  // As text it is the same for as long as the same columns are shown, so rows need not change.
  const shown = useMemo(() => (marks === "" ? [] : marks.split(",").map(Number)), [marks]);
  const width = FIRST_COLUMN_WIDTH + columnWidth * columns.length;

  const open = (at: CellPosition) => {
    const position = pages.positionAt(at.row);
    const column = columns[at.column - 1];
    const cell =
      position === undefined || column === undefined
        ? undefined
        : store.get(position)?.cells[cellKey(column.variant, column.repeat)];
    if (cell !== undefined) {
      props.onCellOpened(cell);
    }
  };
  const onClick = (event: MouseEvent) => {
    const at = cellAt(event.target);
    if (at !== null) {
      view.setActive(at);
      open(at);
    }
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === "Enter") {
      event.preventDefault();
      open(active);
    } else {
      view.onKeyDown(event);
    }
  };
  return (
    <div
      ref={scroller}
      className="relative max-h-[max(26rem,calc(100dvh-12rem))] min-h-40 overflow-auto overscroll-contain rounded-lg border border-border bg-raised"
      style={{ scrollPaddingTop: HEADER_HEIGHT, scrollPaddingLeft: FIRST_COLUMN_WIDTH }}
    >
      <div
        role="grid"
        aria-label={label}
        aria-rowcount={total === null ? -1 : rows + 1}
        aria-colcount={columns.length + 1}
        aria-busy={total === null || undefined}
        aria-readonly
        style={{ width }}
        onClick={onClick}
        onKeyDown={onKeyDown}
      >
        <Header columns={columns} shown={shown} columnWidth={columnWidth} width={width} />
        <div role="rowgroup" className="relative" style={{ height: down.getTotalSize() }}>
          {down.getVirtualItems().map(({ index, start }) => (
            <GridRow
              key={index}
              index={index}
              start={start}
              width={width}
              position={pages.positionAt(index)}
              store={store}
              columns={columns}
              shown={shown}
              columnWidth={columnWidth}
              activeColumn={active.row === index ? active.column : null}
              missing={missing}
              metric={metric}
              scorers={scorers}
            />
          ))}
        </div>
      </div>
    </div>
  );
}
