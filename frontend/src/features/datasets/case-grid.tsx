import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import type { Case, DatasetVariable } from "@/api/types";
import type { DatasetAddress } from "@/api/case-imports";
import { CaseRow } from "./case-row";
import { columnsFor, gridTemplate, minimumWidth } from "./columns";
import { GridHeader } from "./grid-header";
import type { CasePages, RowRange } from "./use-case-pages";
import { useActiveCell, useGridCells } from "./use-grid-cells";
import { countChosen, isChosen, NOTHING, type CaseSort, type Chosen } from "./view";

const ROW_HEIGHT = 57;
const PLACEHOLDERS = 8;

export interface CaseGridProps {
  at: DatasetAddress;
  pages: CasePages;
  onRangeChanged: (range: RowRange) => void;
  variables: readonly DatasetVariable[];
  editable: boolean;
  sort: CaseSort | undefined;
  onSortChanged: (sort: CaseSort | undefined) => void;
  chosen: Chosen;
  onChosenChanged: (chosen: Chosen) => void;
  onCaseOpened: (row: Case) => void;
}

function useRows(
  { pages, onRangeChanged }: CaseGridProps,
  scroller: RefObject<HTMLElement | null>,
  activeRow: number,
) {
  const rows = pages.total ?? PLACEHOLDERS;
  // oxlint-disable-next-line react/incompatible-library -- the rows are not memoised by hand
  const virtualizer = useVirtualizer({
    count: rows,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 6,
    // Keeps the focused row rendered, or scrolling would lose the focus.
    rangeExtractor: (range) => {
      const shown = new Set(defaultRangeExtractor(range));
      shown.add(Math.min(activeRow, rows - 1));
      return [...shown].sort((one, other) => one - other);
    },
    onChange: ({ range }) => {
      if (range !== null) {
        onRangeChanged({ first: range.startIndex, last: range.endIndex });
      }
    },
  });
  return { rows, virtualizer };
}

/** Virtualised table of cases. */
export function CaseGrid(props: CaseGridProps) {
  const { at, pages, variables, editable, chosen } = props;
  const { t } = useTranslation();
  const columns = useMemo(() => columnsFor(variables, editable), [variables, editable]);
  const template = gridTemplate(columns);
  const scroller = useRef<HTMLDivElement>(null);
  const cell = useActiveCell(scroller);
  const { active, isEditing } = cell;
  const { rows, virtualizer } = useRows(props, scroller, active.row);
  const { expanded, onEditingClosed, handlers } = useGridCells({
    ...props,
    cell,
    columns,
    rows,
    rowsPerPage: () =>
      Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_HEIGHT) - 1),
  });
  const count = countChosen(chosen, rows);
  return (
    <div
      ref={scroller}
      className="relative max-h-[max(22rem,calc(100dvh-24rem))] min-h-72 scroll-pt-10 overflow-auto rounded-lg border border-border bg-raised"
      style={{ scrollPaddingLeft: editable ? 116 : 72 }}
    >
      <div
        role="grid"
        aria-label={t("datasets.cases")}
        aria-rowcount={pages.total === null ? -1 : rows + 1}
        aria-colcount={columns.length}
        aria-multiselectable={editable || undefined}
        aria-busy={pages.total === null || undefined}
        style={{ minWidth: minimumWidth(columns) }}
        {...handlers}
      >
        <GridHeader
          columns={columns}
          template={template}
          sort={props.sort}
          onSortChanged={props.onSortChanged}
          chosen={count === 0 ? "none" : count === rows ? "all" : "some"}
          onAllChosen={(wanted) => props.onChosenChanged(wanted ? { kind: "all" } : NOTHING)}
        />
        <div role="rowgroup" className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const row = pages.rowAt(index);
            return (
              <CaseRow
                key={index}
                at={at}
                index={index}
                row={row}
                columns={columns}
                template={template}
                start={start}
                activeColumn={active.row === index ? active.column : null}
                isEditing={isEditing && active.row === index}
                isChosen={row !== undefined && isChosen(chosen, row.id)}
                isExpanded={row !== undefined && expanded.has(row.id)}
                onMounted={virtualizer.measureElement}
                onEditingClosed={onEditingClosed}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}
