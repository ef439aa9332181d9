import type { ParameterValues, VersionSummary } from "@/api/types";
import { MOST_COLUMNS, type Column, type ColumnSettings } from "./session";

/** Columns for each comparison mode. */

/** The draft (null), or one of the prompt's versions. */
export type VersionChoice = Pick<VersionSummary, "id" | "label" | "name"> | null;

export function modelColumns(columns: readonly Column[]): ColumnSettings[] {
  const seen = new Set<string>();
  return columns.flatMap(({ modelId }) => {
    if (seen.has(modelId)) {
      return [];
    }
    seen.add(modelId);
    return [{ modelId, versionId: null, parameters: null, label: null }];
  });
}

export function versionColumns(
  modelId: string,
  choices: readonly VersionChoice[],
  draftLabel: string,
): ColumnSettings[] {
  return choices.map((choice) => ({
    modelId,
    versionId: choice?.id ?? null,
    parameters: null,
    label: choice?.label ?? draftLabel,
  }));
}

export const GRID_PARAMETERS = ["temperature", "top_p", "max_tokens"] as const;
export type GridParameter = (typeof GRID_PARAMETERS)[number];
export type ParameterGrid = Partial<Record<GridParameter, readonly number[]>>;

/** Parses "0, 0.5; 1"; null when a value is not a number. */
export function readValues(text: string): number[] | null {
  const parts = text
    .split(/[\s,;]+/)
    .filter((part) => part !== "")
    .map(Number);
  return parts.every(Number.isFinite) ? [...new Set(parts)] : null;
}

function combinations(grid: ParameterGrid): ParameterValues[] {
  return GRID_PARAMETERS.reduce<ParameterValues[]>(
    (sets, name) => {
      const values = grid[name] ?? [];
      return values.length === 0
        ? sets
        : sets.flatMap((set) => values.map((value) => ({ ...set, [name]: value })));
    },
    [{}],
  );
}

/** Columns for all combinations of the values, for one model. */
export function parameterColumns(modelId: string, grid: ParameterGrid): ColumnSettings[] {
  return combinations(grid)
    .slice(0, MOST_COLUMNS)
    .map((parameters) => ({
      modelId,
      versionId: null,
      parameters: Object.keys(parameters).length === 0 ? null : parameters,
      label: null,
    }));
}

export function countColumns(grid: ParameterGrid): number {
  return GRID_PARAMETERS.reduce((count, name) => count * Math.max(1, grid[name]?.length ?? 0), 1);
}
