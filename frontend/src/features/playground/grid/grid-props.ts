import type { Project, RunDetail } from "@/api/types";
import type { Column, ColumnSettings, GridFilters, Metric, RowSort } from "../session";
import type { CaseSource } from "./idle-rows";

export interface PlaygroundGridProps {
  project: Project;
  /** The shown run; null before any run. */
  run: RunDetail | null;
  columns: readonly Column[];
  metric: Metric;
  /** The run has scorers: cells show the grade and its reasons; otherwise thumbs. */
  hasGrader: boolean;
  filters: GridFilters;
  /** An earlier run is shown: its cells cannot be re-run. */
  isHistorical: boolean;
  /** The user may start runs. */
  canEdit: boolean;
  /** Prompt whose versions are compared; null in other modes. */
  versionsOf: string | null;
  /** Rows before the first run. */
  cases: CaseSource;
  /** Id of the open output. */
  output: string | undefined;
  onOutputChanged: (outputId: string | undefined) => void;
  onColumnAdded: (settings: ColumnSettings) => void;
  onColumnEdited: (key: string, settings: ColumnSettings) => void;
  onColumnRemoved: (key: string) => void;
  onFiltersCleared: () => void;
  onSortChanged: (sort: RowSort | undefined) => void;
}
