import type { ReactNode } from "react";
import { cn } from "@/lib/cn";
import { Explained } from "./explained";

export interface Column<T> {
  key: string;
  header: string;
  cell: (row: T) => ReactNode;
  /** Shows the header to screen readers only, as for a column of buttons. */
  hideHeader?: boolean;
  align?: "left" | "right";
  /** Comes first and without a label in the card layout. */
  primary?: boolean;
  className?: string;
}

export interface TableProps<T> {
  /** Accessible name of the table. */
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
  rowClassName?: (row: T) => string | undefined;
}

interface CellProps<T> {
  column: Column<T>;
  children: ReactNode;
}

function Cell<T>({ column, children }: CellProps<T>) {
  const { primary = false, hideHeader = false } = column;
  return (
    <td
      role="cell"
      className={cn(
        "max-lg:flex max-lg:items-center max-lg:justify-between max-lg:gap-4 lg:px-4 lg:py-3",
        primary && "max-lg:order-first max-lg:mr-10 max-lg:mb-1",
        hideHeader && "max-lg:absolute max-lg:top-3 max-lg:right-3",
        column.align === "right" && "lg:text-right",
        column.className,
      )}
    >
      {primary || hideHeader ? null : (
        <span aria-hidden className="shrink-0 text-xs text-ink-muted lg:hidden">
          {column.header}
        </span>
      )}
      <div className={cn("min-w-0", !primary && "max-lg:text-right")}>{children}</div>
    </td>
  );
}

/**
 * Table that becomes a list of cards on narrow screens. ARIA roles are explicit, because changing
 * `display` removes the implicit ones.
 */
export function Table<T>({ caption, columns, rows, rowKey, rowClassName }: TableProps<T>) {
  return (
    <div className="relative overflow-x-auto rounded-lg lg:border lg:border-border lg:bg-raised">
      <table role="table" className="w-full border-collapse text-left text-sm max-lg:block">
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup" className="max-lg:sr-only">
          <tr role="row" className="border-b border-border bg-surface">
            {columns.map((column) => (
              <th
                key={column.key}
                role="columnheader"
                scope="col"
                className={cn(
                  "h-9 px-4 py-2 text-xs font-medium text-ink-muted",
                  column.align === "right" && "text-right",
                  column.className,
                )}
              >
                {column.hideHeader ? (
                  <span className="sr-only">{column.header}</span>
                ) : (
                  <Explained text={column.header} />
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="max-lg:grid max-lg:gap-3">
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              role="row"
              className={cn(
                "border-border max-lg:relative max-lg:grid max-lg:gap-2 max-lg:rounded-lg max-lg:border max-lg:bg-raised max-lg:p-4 lg:border-b lg:last:border-b-0 lg:hover:bg-surface",
                rowClassName?.(row),
              )}
            >
              {columns.map((column) => (
                <Cell key={column.key} column={column}>
                  {column.cell(row)}
                </Cell>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
