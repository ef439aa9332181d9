import type { Draft } from "../wizard-step";
import { readNumber } from "@/components/number-field";

type Grid = Draft["models"]["grid"];

export const VARIED = ["temperature", "max_tokens", "top_p"] as const satisfies (keyof Grid)[];
export type Varied = (typeof VARIED)[number];

export const RANGES: Record<Varied, { least: number; most: number; isWhole: boolean }> = {
  temperature: { least: 0, most: 2, isWhole: false },
  max_tokens: { least: 1, most: 100_000, isWhole: true },
  top_p: { least: 0, most: 1, isWhole: false },
};

/** Maximum number of values per parameter. */
export const MOST_VALUES = 20;

/** Maximum number of configurations in one experiment. */
export const MOST_CONFIGURATIONS = 10;

/** Numbers separated by commas, semicolons or spaces; null when one is invalid or out of range. */
export function readValues(text: string, name: Varied): number[] | null {
  const { least, most, isWhole } = RANGES[name];
  const parts = text.split(/[,;\s]+/).filter(Boolean);
  const numbers = parts.map((part) => readNumber(part, isWhole));
  const values = numbers.filter((value) => value !== null);
  const isFine = values.length === parts.length && values.every((v) => v >= least && v <= most);
  const unique = [...new Set(values)];
  return isFine && unique.length <= MOST_VALUES ? unique : null;
}

/** Number of parameter combinations per model. */
export function countCombinations(grid: Grid): number {
  return VARIED.reduce((count, name) => count * (new Set(grid[name]).size || 1), 1);
}
