import type { MappedColumn } from "@/api/types";

export const TARGETS = [
  "variable",
  "expected",
  "tags",
  "difficulty",
  "split",
  "origin",
  "notes",
  "assertion",
  "ignored",
] as const;
export type Target = (typeof TARGETS)[number];

/** Valid variable name closest to the column's name. */
export function variableName(column: string): string {
  const bare = column.replace(/^(inputs?|vars)\./i, "").replace(/:json$/i, "");
  const name = bare
    .trim()
    .replace(/[^\p{L}\p{N}_]+/gu, "_")
    .replace(/^_+|_+$/g, "");
  return /^\p{N}/u.test(name) ? `_${name}` : name === "" ? "value" : name;
}

/** Mapping with another target for a column; variables default to the column's name. */
export function mapColumn(
  mapping: readonly MappedColumn[],
  column: string,
  target: Target,
): MappedColumn[] {
  return mapping.map((each) =>
    each.column !== column
      ? each
      : {
          ...each,
          target,
          variable: target === "variable" ? (each.variable ?? variableName(column)) : null,
        },
  );
}

export function rename(
  mapping: readonly MappedColumn[],
  column: string,
  variable: string,
): MappedColumn[] {
  return mapping.map((each) => (each.column === column ? { ...each, variable } : each));
}

/** Number of rows that would become cases. */
export function expectedCases(
  preview: { good_rows: number; copies_in_file: number; copies_in_dataset: number },
  skipCopies: boolean,
): number {
  const copies = skipCopies ? preview.copies_in_file + preview.copies_in_dataset : 0;
  return Math.max(0, preview.good_rows - copies);
}
