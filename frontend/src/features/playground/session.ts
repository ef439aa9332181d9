import type { ParameterValues, RunDetail, RunVariant } from "@/api/types";

/** What the page of the playground works on, and the rules by which it changes. */
export const METRICS = ["grade", "tokens", "cost", "latency"] as const;
export type Metric = (typeof METRICS)[number];

/** What stands side by side: models, versions of the prompt, or settings of one model. */
export const MODES = ["models", "versions", "parameters"] as const;
export type Mode = (typeof MODES)[number];

export interface ColumnSettings {
  modelId: string;
  /** Null is the draft. */
  versionId: string | null;
  /** Null leaves the model's own. */
  parameters: ParameterValues | null;
  label: string | null;
}

export interface Column extends ColumnSettings {
  /** Tells columns apart on this page; a model may stand in several. */
  key: string;
  /** Which variant of the shown run answers here; null once edited: those answers are not its own. */
  position: number | null;
}

export type ShownRun = RunDetail | null;

export const CELL_STATUSES = ["ok", "error", "malformed"] as const;
export type CellStatus = (typeof CELL_STATUSES)[number];

export interface GridFilters {
  status?: CellStatus | undefined;
  q?: string | undefined;
  /** Between 0 and 1, as scores are. */
  minScore?: number | undefined;
  maxScore?: number | undefined;
}

export function nextMetric(metric: Metric): Metric {
  return METRICS[(METRICS.indexOf(metric) + 1) % METRICS.length] ?? "grade";
}

export function newColumn(settings: ColumnSettings): Column {
  return { ...settings, key: crypto.randomUUID(), position: null };
}

export function editColumn(
  columns: readonly Column[],
  key: string,
  settings: ColumnSettings,
): Column[] {
  return columns.map((column) =>
    column.key === key ? { ...column, ...settings, position: null } : column,
  );
}

/** The last column stays: without one there is nothing to run. */
export function removeColumn(columns: readonly Column[], key: string): Column[] {
  const rest = columns.filter((column) => column.key !== key);
  return rest.length === 0 ? [...columns] : rest;
}

function columnOf(variant: RunVariant, modelId: string): Column {
  return {
    key: crypto.randomUUID(),
    modelId,
    versionId: variant.version_id,
    parameters: variant.parameters,
    label: null,
    position: variant.position,
  };
}

/** The columns a run was made of. Models that are gone since cannot be asked again. */
export function columnsOf(run: RunDetail): Column[] {
  return run.variants.flatMap((variant) =>
    variant.model_id === null ? [] : [columnOf(variant, variant.model_id)],
  );
}
