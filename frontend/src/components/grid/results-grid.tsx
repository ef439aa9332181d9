import { useMemo, useSyncExternalStore, type ComponentType, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Cell } from "@/api/types";
import { CaseHeader } from "./case-header";
import type { CellTools } from "./cell-tools";
import {
  NO_WAITS,
  WIDE_SHAPE,
  type ColumnSource,
  type GridShape,
  type Metric,
  type Missing,
  type ResultColumn,
  type Waits,
} from "./columns";
import { HeaderRow, SUMMARY_HEIGHT, SummaryRow } from "./grid-frame";
import { GridRow, type RowHeaderProps, type RowLook } from "./grid-row";
import type { RowPages } from "./row-pages";
import type { RowStore } from "./row-store";
import { columnIn, useCellUse } from "./use-cell-use";
import { useGridInput } from "./use-grid-input";
import { useGridView } from "./use-grid-view";
import { useMetricFade } from "./use-metric-fade";

const PLACEHOLDERS = 8;

export interface ResultsGridProps {
  label: string;
  columns: readonly ResultColumn[];
  pages: RowPages;
  store: RowStore;
  missing: Missing;
  waits?: Waits;
  metric: Metric;
  onCellOpened: (cell: Cell) => void;
  shape?: GridShape;
  tools?: CellTools | null;
  /** Header of the first column. */
  rowTitle?: string;
  RowHeader?: ComponentType<RowHeaderProps>;
  onRowOpened?: (position: number) => void;
  /** Label of the summary row, which shows each column's summary. */
  summaryTitle?: ReactNode;
  /** Content to the right of the last column's header. */
  beside?: ReactNode;
  className?: string;
}

const BOX = "relative overflow-auto overscroll-contain rounded-lg border border-border bg-raised";
const GRID_HEIGHT = "min-h-40 max-h-[max(26rem,calc(100dvh-12rem))]";

/**
 * Virtualised grid of answers by case and variant. Arrow keys move between cells, Enter opens one,
 * and letter keys trigger the cell actions.
 */
export function ResultsGrid(props: ResultsGridProps) {
  const { columns, pages, store, shape = WIDE_SHAPE, tools = null, summaryTitle } = props;
  const { missing, metric, RowHeader = CaseHeader } = props;
  const { t } = useTranslation();
  const { total } = useSyncExternalStore(pages.subscribe, pages.getState);
  const rows = total ?? PLACEHOLDERS;
  const view = useGridView({ shape, rows, columns: columns.length, onRangeChanged: pages.show });
  const { scroller, active, width: columnWidth, down, across } = view;
  const use = useCellUse(view.setActive);
  const input = useGridInput({ ...props, view, use, tools });
  useMetricFade(scroller, metric);
  const marks = across
    .getVirtualItems()
    .map((item) => item.index)
    .join();
  // A string is stable while the same columns are shown, so rows do not re-render.
  const shown = useMemo(() => (marks === "" ? [] : marks.split(",").map(Number)), [marks]);
  const placing = JSON.stringify(
    columns.map(({ key, variant, repeat }) => ({ key, variant, repeat })),
  );
  // Headers and summaries change all the time during a run; column sources do not.
  const places = useMemo(() => JSON.parse(placing) as ColumnSource[], [placing]);
  const waiting = JSON.stringify(props.waits ?? NO_WAITS);
  const waits = useMemo(() => JSON.parse(waiting) as Waits, [waiting]);
  const width = shape.firstColumn + columnWidth * columns.length;
  const frame = { columns, shown, shape, columnWidth, width };
  const look = useMemo(
    (): RowLook => ({
      ...{ store, shape, width, shown, columnWidth, missing, waits, metric, tools },
      columns: places,
      Header: RowHeader,
      t,
    }),
    [store, shape, width, places, shown, columnWidth, missing, waits, metric, tools, RowHeader, t],
  );
  const hasSummary = summaryTitle !== undefined;
  return (
    <div
      ref={scroller}
      className={`${BOX} ${props.className ?? GRID_HEIGHT}`}
      style={{
        scrollPaddingTop: shape.header,
        scrollPaddingLeft: shape.firstColumn,
        scrollPaddingBottom: hasSummary ? SUMMARY_HEIGHT : 0,
      }}
    >
      <div className="flex w-max items-start">
        <div
          role="grid"
          aria-label={props.label}
          aria-rowcount={total === null ? -1 : rows + (hasSummary ? 2 : 1)}
          aria-colcount={columns.length + 1}
          aria-busy={total === null || undefined}
          aria-readonly
          style={{ width }}
          {...use.handlers}
          {...input}
        >
          <HeaderRow {...frame} title={props.rowTitle ?? t("runs.grid.case")} />
          <div role="rowgroup" className="relative" style={{ height: down.getTotalSize() }}>
            {down.getVirtualItems().map(({ index, start }) => (
              <GridRow
                key={index}
                look={look}
                index={index}
                start={start}
                position={pages.positionAt(index)}
                activeColumn={columnIn(index, active)}
                focusedColumn={use.isFocused ? columnIn(index, active) : null}
                pointedColumn={columnIn(index, use.pointed)}
                explainedColumn={columnIn(index, use.explained)}
              />
            ))}
          </div>
          {hasSummary ? <SummaryRow {...frame} title={summaryTitle} rowCount={rows} /> : null}
        </div>
        {props.beside}
      </div>
    </div>
  );
}
