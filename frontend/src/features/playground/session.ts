import type { ParameterValues, RunDetail } from "@/api/types";

/** What the page of the playground works on, and the rules by which it changes. */
export const METRICS = ["grade", "tokens", "cost", "latency"] as const;
export type Metric = (typeof METRICS)[number];

/** What stands side by side: models, versions of the prompt, or settings of one model. */
export const MODES = ["models", "versions", "parameters"] as const;
export type Mode = (typeof MODES)[number];

export const MOST_COLUMNS = 32;

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
  sort?: RowSort | undefined;
}

/** Rows in the order of what one column shows: by its place, which is that of its variant. */
export interface RowSort {
  variant: number;
  isFalling: boolean;
}

/** The highest first, then the lowest, then as the cases are. */
export function nextSort(sort: RowSort | undefined, variant: number): RowSort | undefined {
  if (sort?.variant !== variant) {
    return { variant, isFalling: true };
  }
  return sort.isFalling ? { variant, isFalling: false } : undefined;
}

export interface ChosenScorer {
  /** The version of a saved scorer. */
  versionId: string;
  weight: number;
}

/** Who grades the answers: a grader prompt, saved scorers, both or nobody. */
export interface Graders {
  promptId: string | null;
  /** Who answers the grader prompt. */
  modelId: string | null;
  scorers: readonly ChosenScorer[];
}

export interface Session {
  promptId: string | null;
  columns: readonly Column[];
  /** Null asks for the one row that is entered by hand. */
  datasetId: string | null;
  inputs: Readonly<Record<string, string>>;
  /** The right answer to that row; empty where nobody said. */
  expected: string;
  graders: Graders;
  /** The run whose answers the columns show. */
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

function isSame(one: ColumnSettings, other: ColumnSettings): boolean {
  const marks = ({ modelId, versionId, parameters }: ColumnSettings) =>
    JSON.stringify([modelId, versionId, Object.entries(parameters ?? {}).sort()]);
  return marks(one) === marks(other);
}

/** Answers stay only where the column still asks for the same. */
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

/** The last column stays: without one there is nothing to run. */
export function removeColumn(columns: readonly Column[], key: string): Column[] {
  const rest = columns.filter((column) => column.key !== key);
  return rest.length === 0 ? [...columns] : rest;
}

/** Other columns, of which those that were there before keep their answers. */
export function rearrange(columns: readonly Column[], wanted: readonly ColumnSettings[]): Column[] {
  const left = [...columns];
  return wanted.slice(0, MOST_COLUMNS).map((settings) => {
    const index = left.findIndex((column) => isSame(column, settings));
    const [known] = index < 0 ? [] : left.splice(index, 1);
    return known === undefined ? newColumn(settings) : { ...known, label: settings.label };
  });
}

/** A run began: its variants are the columns, one by one. */
export function started(session: Session, runId: string): Session {
  return {
    ...session,
    runId,
    columns: session.columns.map((column, position) => ({ ...column, position })),
  };
}

/** The run is gone, and its answers with it. */
export function withoutRun(session: Session): Session {
  return {
    ...session,
    runId: null,
    columns: session.columns.map((column) => ({ ...column, position: null })),
  };
}

/** What the columns put side by side. */
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

/** Another prompt: its versions are others, and so are the answers. */
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

/** Without columns that have no answers and whose model cannot be asked; one at least is left. */
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
