import type { Draft } from "../wizard-step";
import { readNumber } from "../number-field";

type Grid = Draft["models"]["grid"];

export const VARIED = ["temperature", "max_tokens", "top_p"] as const satisfies (keyof Grid)[];
export type Varied = (typeof VARIED)[number];

export const RANGES: Record<Varied, { least: number; most: number; isWhole: boolean }> = {
  temperature: { least: 0, most: 2, isWhole: false },
  max_tokens: { least: 1, most: 100_000, isWhole: true },
  top_p: { least: 0, most: 1, isWhole: false },
};

/** The most values that one parameter is varied in. */
export const MOST_VALUES = 20;

/** More ways of answering than these are not compared in one experiment. */
export const MOST_CONFIGURATIONS = 10;

/** Numbers set apart by commas, semicolons or blanks; null when something is none, or too much. */
export function readValues(text: string, name: Varied): number[] | null {
  const { least, most, isWhole } = RANGES[name];
  const parts = text.split(/[,;\s]+/).filter(Boolean);
  const numbers = parts.map((part) => readNumber(part, isWhole));
  const values = numbers.filter((value) => value !== null);
  const isFine = values.length === parts.length && values.every((v) => v >= least && v <= most);
  const unique = [...new Set(values)];
  return isFine && unique.length <= MOST_VALUES ? unique : null;
}

/** How many ways each model is asked in. */
export function countCombinations(grid: Grid): number {
  return VARIED.reduce((count, name) => count * (new Set(grid[name]).size || 1), 1);
}
