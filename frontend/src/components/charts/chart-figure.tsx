import { ChartNoAxesColumn, Table2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { cn } from "@/lib/cn";
import { Button } from "../ui/button";
import { useWidth } from "./use-width";

export interface ChartTable {
  columns: readonly string[];
  /** The first cell is the row header. */
  rows: readonly (readonly string[])[];
}

export interface ChartFigureProps {
  /** Accessible name of the figure and its table. */
  label: string;
  /** One-sentence summary for screen readers. */
  summary: string;
  /** The same figures as a table. */
  table: ChartTable;
  legend?: ReactNode;
  height?: number;
  children: (size: { width: number; height: number }) => ReactNode;
}

function FiguresTable({
  label,
  table,
  height,
}: {
  label: string;
  table: ChartTable;
  height: number;
}) {
  return (
    <div
      role="region"
      aria-label={label}
      tabIndex={0}
      className="overflow-auto rounded-md border border-border"
      style={{ maxHeight: height }}
    >
      <table className="w-full text-left text-xs">
        <caption className="sr-only">{label}</caption>
        <thead className="sticky top-0 bg-surface">
          <tr>
            {table.columns.map((column, index) => (
              <th
                key={column}
                scope="col"
                className={cn("px-3 py-2 font-medium text-ink-muted", index > 0 && "text-right")}
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            <tr key={at} className="border-t border-border">
              {row.map((cell, index) =>
                index === 0 ? (
                  <th key={index} scope="row" className="px-3 py-1.5 font-normal whitespace-nowrap">
                    {cell}
                  </th>
                ) : (
                  <td key={index} className="px-3 py-1.5 text-right tabular-nums">
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Responsive chart with a legend and an alternative table view. */
export function ChartFigure(props: ChartFigureProps) {
  const { label, summary, table, legend, height = 220, children } = props;
  const { t } = useTranslation();
  const [asTable, setAsTable] = useState(false);
  const [ref, width] = useWidth();
  return (
    <figure aria-label={label} className="grid grid-cols-1 gap-3">
      <div ref={ref} className="min-w-0 overflow-hidden" style={{ minHeight: height }}>
        {asTable ? (
          <FiguresTable label={label} table={table} height={height} />
        ) : (
          <div role="img" aria-label={summary} className="relative">
            {width > 0 ? children({ width, height }) : null}
          </div>
        )}
      </div>
      <figcaption className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-wrap gap-x-4 gap-y-1 text-xs text-ink-muted">
          {legend}
        </div>
        <Button
          variant="ghost"
          size="sm"
          className="-mr-2 ml-auto"
          aria-pressed={asTable}
          onClick={() => setAsTable(!asTable)}
        >
          {asTable ? <ChartNoAxesColumn aria-hidden /> : <Table2 aria-hidden />}
          {asTable ? t("charts.showChart") : t("charts.showTable")}
        </Button>
      </figcaption>
    </figure>
  );
}

export function LegendItem({ mark, children }: { mark: string; children: ReactNode }) {
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <span aria-hidden className={cn("shrink-0", mark)} />
      <span className="truncate">{children}</span>
    </span>
  );
}
