import { useQuery } from "@tanstack/react-query";
import { modelsQuery } from "@/api/models";
import { resultsQuery } from "@/api/run-results";
import type { RunDetail } from "@/api/types";
import type { ResultColumn } from "@/components/grid/columns";
import type { Column, Metric } from "../session";
import { ColumnHeader, useColumnName } from "./column-header";
import { ColumnSummary } from "./column-summary";

export interface GridColumnsOptions {
  slug: string;
  columns: readonly Column[];
  run: RunDetail | null;
  metric: Metric;
  canEdit: boolean;
  onEditing: (column: Column) => void;
  onRemoved: (key: string) => void;
}

/** The page's columns as the grid draws them: who answers above, what comes of it below. */
export function useGridColumns(options: GridColumnsOptions): ResultColumn[] {
  const { slug, columns, run, metric, canEdit, onEditing, onRemoved } = options;
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
    return {
      key,
      variant: variant === undefined ? null : variant.position,
      repeat: 0,
      label: column.label ?? name,
      header: (
        <ColumnHeader
          column={column}
          name={name}
          canEdit={canEdit}
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
