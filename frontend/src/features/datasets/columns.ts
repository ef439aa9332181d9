import type { DatasetVariable } from "@/api/types";
import type { CaseField } from "./values";

type Property = "expected" | "tags" | "difficulty" | "split" | "origin";

/** A column of the case table. Widths are in pixels; text columns share the remaining width. */
export type GridColumn = { key: string; width: number; grows: boolean } & (
  | { kind: "select" | "position" | "version" }
  | { kind: "input"; variable: string }
  | { kind: Property }
);

const fixed = (kind: "select" | "position" | "version" | Property, width: number): GridColumn => ({
  key: kind,
  kind,
  width,
  grows: false,
});

export function columnsFor(
  variables: readonly DatasetVariable[],
  isSelectable: boolean,
): GridColumn[] {
  return [
    ...(isSelectable ? [fixed("select", 44)] : []),
    fixed("position", 72),
    ...variables.map(({ name }): GridColumn => ({
      key: `input.${name}`,
      kind: "input",
      variable: name,
      width: 220,
      grows: true,
    })),
    { ...fixed("expected", 220), grows: true },
    fixed("tags", 168),
    fixed("difficulty", 104),
    fixed("split", 104),
    fixed("origin", 120),
    fixed("version", 84),
  ];
}

/** Field of the case shown in the column; null when it is not editable. */
export function placeOf(column: GridColumn): CaseField | null {
  switch (column.kind) {
    case "input":
      return { field: "input", variable: column.variable };
    case "expected":
    case "tags":
    case "difficulty":
    case "split":
    case "origin":
      return { field: column.kind };
    default:
      return null;
  }
}

export function gridTemplate(columns: readonly GridColumn[]): string {
  return columns
    .map(({ width, grows }) => (grows ? `minmax(${width}px, 1fr)` : `${width}px`))
    .join(" ");
}

export function minimumWidth(columns: readonly GridColumn[]): number {
  return columns.reduce((sum, { width }) => sum + width, 0);
}

/** Left offset of a sticky column in pixels; null when it scrolls. */
export function stickyLeft(columns: readonly GridColumn[], column: GridColumn): number | null {
  if (column.kind === "select") {
    return 0;
  }
  return column.kind === "position" ? (columns[0]?.kind === "select" ? 44 : 0) : null;
}
