import type { ParameterValues, RunDetail } from "@/api/types";

/** State of the playground page, and its transitions. */
export const METRICS = ["grade", "tokens", "cost", "latency"] as const;
export type Metric = (typeof METRICS)[number];

/** Comparison modes: models, versions of the prompt, or parameters of one model. */
export const MODES = ["models", "versions", "parameters"] as const;
export type Mode = (typeof MODES)[number];

export const MOST_COLUMNS = 32;

export interface ColumnSettings {
  modelId: string;
  /** Null: the draft. */
  versionId: string | null;
  /** Null: the model's own. */
  parameters: ParameterValues | null;
  label: string | null;
}

export interface Column extends ColumnSettings {
  /** Unique key of a column; a model may appear in several. */
  key: string;
  /** Variant of the shown run; null once edited, because the answers no longer match. */
  position: number | null;
}

export type ShownRun = RunDetail | null;

export const CELL_STATUSES = ["ok", "error", "malformed"] as const;
export type CellStatus = (typeof CELL_STATUSES)[number];

export interface GridFilters {
  status?: CellStatus | undefined;
  q?: string | undefined;
  /** From 0 to 1. */
  minScore?: number | undefined;
  maxScore?: number | undefined;
  sort?: RowSort | undefined;
}

/** Row order by one column, identified by its variant. */
export interface RowSort {
  variant: number;
  isFalling: boolean;
}

/** Next sort: descending, ascending, order of the cases. */
export function nextSort(sort: RowSort | undefined, variant: number): RowSort | undefined {
  if (sort?.variant !== variant) {
    return { variant, isFalling: true };
  }
  return sort.isFalling ? { variant, isFalling: false } : undefined;
}

export interface ChosenScorer {
  /** Version id of a saved scorer. */
  versionId: string;
  weight: number;
}

/** Graders of a run: a grader prompt, saved scorers, both or none. */
export interface Graders {
  promptId: string | null;
  /** Model of the grader prompt. */
  modelId: string | null;
  scorers: readonly ChosenScorer[];
}

export interface Session {
  promptId: string | null;
  columns: readonly Column[];
  /** Null: the row entered by hand. */
  datasetId: string | null;
  inputs: Readonly<Record<string, string>>;
  /** Expected answer of that row; empty for none. */
  expected: string;
  graders: Graders;
  /** Run whose answers are shown. */
  runId: string | null;
}

export const NO_GRADERS: Graders = { promptId: null, modelId: null, scorers: [] };

export const EMPTY_SESSION: Session = {
  promptId: null,
  columns: [],
  datasetId: null,
  inputs: {},
  expected: "",
  graders: NO_GRADERS,
  runId: null,
};

export function nextMetric(metric: Metric): Metric {
  return METRICS[(METRICS.indexOf(metric) + 1) % METRICS.length] ?? "grade";
}

export function newColumn(settings: ColumnSettings): Column {
  return { ...settings, key: crypto.randomUUID(), position: null };
}

export function addColumn(columns: readonly Column[], settings: ColumnSettings): Column[] {
  return columns.length >= MOST_COLUMNS ? [...columns] : [...columns, newColumn(settings)];
}

/** The same text for the same parameters, in whichever order they were set. */
export function parametersKey(parameters: ColumnSettings["parameters"]): string {
  const entries = Object.entries(parameters ?? {});
  return JSON.stringify(entries.sort(([one], [other]) => one.localeCompare(other)));
}

function isSame(one: ColumnSettings, other: ColumnSettings): boolean {
  const marks = ({ modelId, versionId, parameters }: ColumnSettings) =>
    JSON.stringify([modelId, versionId, parametersKey(parameters)]);
  return marks(one) === marks(other);
}

/** Keeps the answers only if the column's settings are unchanged. */
export function editColumn(
  columns: readonly Column[],
  key: string,
  settings: ColumnSettings,
): Column[] {
  return columns.map((column) =>
    column.key === key
      ? {
          ...column,
          ...settings,
          position: isSame(column, settings) ? column.position : null,
        }
      : column,
  );
}

/** Removes a column; the last one cannot be removed. */
export function removeColumn(columns: readonly Column[], key: string): Column[] {
  const rest = columns.filter((column) => column.key !== key);
  return rest.length === 0 ? [...columns] : rest;
}

/** Replaces the columns; unchanged ones keep their answers. */
export function rearrange(columns: readonly Column[], wanted: readonly ColumnSettings[]): Column[] {
  const left = [...columns];
  return wanted.slice(0, MOST_COLUMNS).map((settings) => {
    const index = left.findIndex((column) => isSame(column, settings));
    const [known] = index < 0 ? [] : left.splice(index, 1);
    return known === undefined ? newColumn(settings) : { ...known, label: settings.label };
  });
}

/** A run started: its variants correspond to the columns in order. */
export function started(session: Session, runId: string): Session {
  return {
    ...session,
    runId,
    columns: session.columns.map((column, position) => ({ ...column, position })),
  };
}

/** Session after the run was deleted, without answers. */
export function withoutRun(session: Session): Session {
  return {
    ...session,
    runId: null,
    columns: session.columns.map((column) => ({ ...column, position: null })),
  };
}

/** Comparison mode of the columns. */
export function modeOfColumns(columns: readonly ColumnSettings[]): Mode {
  const count = (mark: (column: ColumnSettings) => unknown) => new Set(columns.map(mark)).size;
  if (count(({ versionId }) => versionId) > 1) {
    return "versions";
  }
  const isOneModel = count(({ modelId }) => modelId) === 1;
  return isOneModel && count(({ parameters }) => JSON.stringify(parameters)) > 1
    ? "parameters"
    : "models";
}

/** Switches the prompt, and drops versions and answers of the previous one. */
export function withPrompt(session: Session, promptId: string): Session {
  if (session.promptId === promptId) {
    return session;
  }
  return {
    ...session,
    promptId,
    columns: session.columns.map((column) => ({ ...column, versionId: null, position: null })),
  };
}

/** Drops columns without answers whose model is unavailable; keeps at least one. */
export function withModels(
  session: Session,
  models: readonly { id: string; is_enabled: boolean; is_default: boolean }[],
): Session {
  const usable = models.filter((model) => model.is_enabled);
  const columns = session.columns.filter(
    ({ modelId, position }) => position !== null || usable.some(({ id }) => id === modelId),
  );
  const first = usable.find((model) => model.is_default) ?? usable[0];
  if (columns.length > 0 || first === undefined) {
    return { ...session, columns };
  }
  const settings = { modelId: first.id, versionId: null, parameters: null, label: null };
  return { ...session, columns: [newColumn(settings)] };
}
