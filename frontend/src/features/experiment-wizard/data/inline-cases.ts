import type { CaseRequest } from "@/api/types";
import { valueText, type JsonValue } from "@/lib/template";

/** Larger sets are kept in a dataset. */
export const MOST_INLINE = 200;

export function newCase(variables: readonly string[]): CaseRequest {
  return { inputs: Object.fromEntries(variables.map((name) => [name, ""])), tags: [] };
}

/** Columns of the table: the prompt's variables, then other inputs of the cases. */
export function columnsOf(variables: readonly string[], cases: readonly CaseRequest[]): string[] {
  return [...new Set([...variables, ...cases.flatMap(({ inputs }) => Object.keys(inputs))])];
}

export function showInput(value: unknown): string {
  return value === undefined ? "" : valueText(value as JsonValue);
}

/** Non-string values stay non-strings as long as the text parses as JSON. */
export function readInput(text: string, before: unknown): unknown {
  if (before === undefined || typeof before === "string") {
    return text;
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

const isBlank = (value: unknown) => value === undefined || showInput(value).trim() === "";

export interface VariableGaps {
  /** Variables of the prompt, with the number of cases lacking a value. */
  missing: { name: string; count: number }[];
  /** Inputs that the prompt does not use. */
  unused: string[];
}

export function findGaps(
  variables: readonly string[],
  cases: readonly Pick<CaseRequest, "inputs">[],
): VariableGaps {
  const missing = variables
    .map((name) => ({ name, count: cases.filter(({ inputs }) => isBlank(inputs[name])).length }))
    .filter(({ count }) => count > 0);
  const used = new Set(cases.flatMap(({ inputs }) => Object.keys(inputs)));
  return { missing, unused: [...used].filter((name) => !variables.includes(name)) };
}

/** Tags are separated by commas, semicolons or bars. */
export function readTags(text: string): string[] {
  const tags = text
    .split(/[,;|\n]+/)
    .map((tag) => tag.trim())
    .filter(Boolean);
  return [...new Set(tags)];
}

/** Number of cases per tag, in the format of dataset facets. */
export function countTags(cases: readonly CaseRequest[]): { value: string; cases: number }[] {
  const counts = new Map<string, number>();
  for (const tag of cases.flatMap(({ tags = [] }) => tags)) {
    counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return Array.from(counts, ([value, count]) => ({ value, cases: count }));
}

/** The cases as a file for the dataset import. */
export function toFile(cases: readonly CaseRequest[]): File {
  const lines = cases.map(({ inputs, expected, tags, difficulty, split, notes }) =>
    JSON.stringify({ input: inputs, expected, tags, difficulty, split, notes }),
  );
  return new File([lines.join("\n")], "cases.jsonl", { type: "application/jsonl" });
}
