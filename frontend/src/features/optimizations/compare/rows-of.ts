import type { SettingRow } from "../setting-rows";

export interface ComparedRow {
  key: string;
  label: string;
  left: string[];
  right: string[];
  differs: boolean;
}

/** Rows of both sides by key, in the order of the left side; then those of the right side alone. */
export function rowsOf(left: readonly SettingRow[], right: readonly SettingRow[]): ComparedRow[] {
  const keys = new Set([...left, ...right].map(({ key }) => key));
  return [...keys].map((key) => {
    const one = left.find((row) => row.key === key);
    const other = right.find((row) => row.key === key);
    const sides = { left: one?.values ?? [], right: other?.values ?? [] };
    return {
      key,
      label: one?.label ?? other?.label ?? key,
      ...sides,
      differs: sides.left.join("\n") !== sides.right.join("\n"),
    };
  });
}
