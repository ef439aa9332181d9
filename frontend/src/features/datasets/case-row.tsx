import { ChevronDown, ChevronUp } from "lucide-react";
import { memo, type CSSProperties } from "react";
import { useTranslation } from "react-i18next";
import type { Case } from "@/api/types";
import { Skeleton } from "@/components/ui/skeleton";
import { cn } from "@/lib/cn";
import { CaseCell, isLong } from "./case-cell";
import type { DatasetAddress } from "@/api/case-imports";
import { CellEditor, type CellExit } from "./cell-editor";
import { placeOf, stickyLeft, type GridColumn } from "./columns";

export interface CaseRowProps {
  at: DatasetAddress;
  index: number;
  row: Case | undefined;
  columns: readonly GridColumn[];
  template: string;
  start: number;
  /** Column of the cell in the tab order. */
  activeColumn: number | null;
  isEditing: boolean;
  isChosen: boolean;
  isExpanded: boolean;
  onMounted: (element: HTMLDivElement | null) => void;
  onEditingClosed: (leaving: CellExit) => void;
}

type CellProps = Omit<CaseRowProps, "onMounted"> & { column: GridColumn };

function SelectBox({ row, isChosen }: { row: Case; isChosen: boolean }) {
  const { t } = useTranslation();
  return (
    <input
      type="checkbox"
      readOnly
      tabIndex={-1}
      checked={isChosen}
      aria-label={t("datasets.cell.choose", { position: row.position })}
      className="size-4 accent-accent-solid"
    />
  );
}

function PositionCell({ row, isExpanded }: { row: Case; isExpanded: boolean }) {
  const { t } = useTranslation();
  const Icon = isExpanded ? ChevronUp : ChevronDown;
  return (
    <span className="flex items-center gap-0.5">
      <button
        type="button"
        tabIndex={-1}
        data-action="open"
        aria-label={t("datasets.cell.open", { position: row.position })}
        className="rounded-sm text-left font-medium tabular-nums hover:text-accent-ink hover:underline"
      >
        {row.position}
      </button>
      {isLong(row) ? (
        <button
          type="button"
          tabIndex={-1}
          data-action="expand"
          aria-expanded={isExpanded}
          aria-label={t("datasets.cell.expand", { position: row.position })}
          className="rounded-sm p-0.5 text-ink-subtle hover:bg-surface-hover hover:text-ink"
        >
          <Icon aria-hidden className="size-3.5" />
        </button>
      ) : null}
    </span>
  );
}

function CellContent(props: CellProps & { row: Case }) {
  const { row, column, isChosen, isExpanded } = props;
  if (column.kind === "select") {
    return <SelectBox row={row} isChosen={isChosen} />;
  }
  if (column.kind === "position") {
    return <PositionCell row={row} isExpanded={isExpanded} />;
  }
  return <CaseCell row={row} column={column} expanded={isExpanded} />;
}

function GridCell(props: CellProps & { columnIndex: number }) {
  const { at, row, column, columns, columnIndex, isChosen } = props;
  const { t } = useTranslation();
  const isActive = props.activeColumn === columnIndex;
  const isEditing = isActive && props.isEditing;
  const place = placeOf(column);
  const left = stickyLeft(columns, column);
  const style: CSSProperties = left === null ? {} : { left };
  const label =
    column.kind === "input"
      ? column.variable
      : column.kind === "select"
        ? ""
        : t(`datasets.columns.${column.kind}`);
  return (
    <div
      role="gridcell"
      aria-colindex={columnIndex + 1}
      data-column={columnIndex}
      tabIndex={isActive ? 0 : -1}
      style={style}
      className={cn(
        "min-w-0 px-3 py-2 -outline-offset-2",
        left === null ? "relative" : "sticky z-10",
        left !== null && (isChosen ? "bg-accent-bg" : "bg-raised group-hover:bg-surface"),
        column.kind === "select" && "flex justify-center pt-2.5",
      )}
    >
      {row === undefined ? (
        <Skeleton className="mt-0.5 h-3.5 w-3/4" />
      ) : (
        <CellContent {...props} row={row} />
      )}
      {isEditing && row !== undefined && place !== null ? (
        <CellEditor
          at={at}
          row={row}
          place={place}
          label={t("datasets.cell.editing", { column: label, position: row.position })}
          onClosed={props.onEditingClosed}
        />
      ) : null}
    </div>
  );
}

/**
 * Rows have no handlers: the table handles clicks and keys by data attributes of rows and cells.
 */
export const CaseRow = memo(function CaseRow(props: CaseRowProps) {
  const { onMounted, ...shared } = props;
  const { index, columns, template, start, isChosen, isEditing } = shared;
  return (
    <div
      ref={onMounted}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={columns[0]?.kind === "select" ? isChosen : undefined}
      data-index={index}
      style={{ gridTemplateColumns: template, transform: `translateY(${start}px)` }}
      className={cn(
        "group absolute inset-x-0 top-0 grid min-h-14 border-b border-border",
        isChosen ? "bg-accent-bg" : "bg-raised hover:bg-surface",
        isEditing && "z-20",
      )}
    >
      {columns.map((column, columnIndex) => (
        <GridCell key={column.key} {...shared} column={column} columnIndex={columnIndex} />
      ))}
    </div>
  );
});
