import { useQuery } from "@tanstack/react-query";
import { modelsQuery } from "@/api/models";
import { resultsQuery } from "@/api/run-results";
import type { RunDetail } from "@/api/types";
import type { ResultColumn } from "@/components/grid/columns";
import { nextSort, type Column, type Metric, type RowSort } from "../session";
import { ColumnHeader, useColumnName } from "./column-header";
import { ColumnSummary } from "./column-summary";

export interface GridColumnsOptions {
  slug: string;
  columns: readonly Column[];
  run: RunDetail | null;
  metric: Metric;
  sort: RowSort | undefined;
  canEdit: boolean;
  onEditing: (column: Column) => void;
  onRemoved: (key: string) => void;
  onSortChanged: (sort: RowSort | undefined) => void;
}

const DIRECTIONS = { true: "descending", false: "ascending" } as const;

/** Grid columns of the page: headers and summaries. */
export function useGridColumns(options: GridColumnsOptions): ResultColumn[] {
  const { slug, columns, run, metric, sort, canEdit, onEditing, onRemoved } = options;
  const models = useQuery(modelsQuery(slug)).data;
  const results = useQuery({
    ...resultsQuery(slug, run?.id ?? ""),
    enabled: run !== null,
  }).data;
  const nameOf = useColumnName();
  return columns.map((column) => {
    const { key, position } = column;
    const name = nameOf(column, models);
    const variant = run?.variants.find((each) => each.position === position);
    const isSorted = sort !== undefined && sort.variant === variant?.position;
    const sorted = isSorted ? DIRECTIONS[`${sort.isFalling}`] : undefined;
    return {
      key,
      variant: variant === undefined ? null : variant.position,
      repeat: 0,
      label: column.label ?? name,
      sorted,
      header: (
        <ColumnHeader
          column={column}
          name={name}
          canEdit={canEdit}
          sorted={sorted}
          metric={metric}
          onSorted={
            variant === undefined
              ? null
              : () => options.onSortChanged(nextSort(sort, variant.position))
          }
          onEdited={() => onEditing(column)}
          onRemoved={columns.length > 1 ? () => onRemoved(key) : null}
        />
      ),
      summary:
        variant === undefined ? null : (
          <ColumnSummary
            metric={metric}
            variant={variant}
            results={results?.variants.find((each) => each.position === position)}
          />
        ),
    };
  });
}
