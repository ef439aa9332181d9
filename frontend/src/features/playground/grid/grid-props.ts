import type { Project, RunDetail } from "@/api/types";
import type { Column, ColumnSettings, GridFilters, Metric, RowSort } from "../session";
import type { CaseSource } from "./idle-rows";

export interface PlaygroundGridProps {
  project: Project;
  /** The shown run; null before any run. */
  run: RunDetail | null;
  columns: readonly Column[];
  metric: Metric;
  /** The shown run has scorers: cells show the grade and why; otherwise they take thumbs. */
  hasGrader: boolean;
  filters: GridFilters;
  /** An earlier run is looked at: nothing of it is asked again. */
  isHistorical: boolean;
  /** The reader may start runs here. */
  canEdit: boolean;
  /** The prompt whose versions stand side by side; null where models or parameters do. */
  versionsOf: string | null;
  /** Rows before any run. */
  cases: CaseSource;
  /** Id of the output that is open. */
  output: string | undefined;
  onOutputChanged: (outputId: string | undefined) => void;
  onColumnAdded: (settings: ColumnSettings) => void;
  onColumnEdited: (key: string, settings: ColumnSettings) => void;
  onColumnRemoved: (key: string) => void;
  onFiltersCleared: () => void;
  onSortChanged: (sort: RowSort | undefined) => void;
}
