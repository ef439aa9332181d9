/**
 * Templates, following the rules of `src/edison/pipeline/render/template.py`; both implementations
 * pass `tests/pipeline/render/template_vectors.json`. Positions count UTF-16 units, as JavaScript
 * strings and the editor do. Only the server renders Nunjucks.
 */

import { findNames } from "./nunjucks";

export const SYNTAXES = ["double", "single", "nunjucks"] as const;
export type Syntax = (typeof SYNTAXES)[number];
export type PlainSyntax = Exclude<Syntax, "nunjucks">;

export type JsonValue =
  string | number | boolean | null | JsonValue[] | { readonly [key: string]: JsonValue };

export type Values = Readonly<Record<string, JsonValue>>;

/** A placeholder to replace: `text.slice(start, end)`, braces included; in Nunjucks the name. */
export interface Variable {
  name: string;
  start: number;
  end: number;
}

export interface Template {
  source: string;
  /** Literal text and variables, in order. */
  pieces: readonly (string | Variable)[];
}

const OPENING: Record<PlainSyntax, string> = { double: "{{", single: "{" };
// Sticky, and no part can match what its neighbour matches: failing takes linear time.
const REST: Record<PlainSyntax, RegExp> = {
  double: /[ \t]*([\p{L}_][\p{L}\p{M}\p{Nd}_]*)[ \t]*\}\}/uy,
  single: /[ \t]*([\p{L}_][\p{L}\p{M}\p{Nd}_]*)[ \t]*\}/uy,
};

export function parseTemplate(text: string, syntax: Syntax): Template {
  if (syntax === "nunjucks") {
    return { source: text, pieces: findNames(text) };
  }
  const pieces: (string | Variable)[] = [];
  let kept = "";
  let position = 0;
  for (const found of placeholders(text, syntax)) {
    const backslashes = countBackslashes(text, position, found.start);
    kept += text.slice(position, found.start - backslashes);
    kept += "\\".repeat(Math.floor(backslashes / 2));
    if (backslashes % 2 === 1) {
      kept += text.slice(found.start, found.end);
    } else {
      if (kept !== "") {
        pieces.push(kept);
        kept = "";
      }
      pieces.push(found);
    }
    position = found.end;
  }
  kept += text.slice(position);
  if (kept !== "") {
    pieces.push(kept);
  }
  return { source: text, pieces };
}

/** All placeholders with their positions. */
export function findVariables(template: Template): Variable[] {
  return template.pieces.filter((piece) => typeof piece !== "string");
}

/** Variable names in order of first use. */
export function variableNames(template: Template): string[] {
  return [...new Set(findVariables(template).map((variable) => variable.name))];
}

/** Replaces variables by their values; a variable without a value is left unchanged. Not for
 * Nunjucks. */
export function renderTemplate(template: Template, values: Values): string {
  return template.pieces
    .map((piece) => {
      if (typeof piece === "string") {
        return piece;
      }
      const value = Object.hasOwn(values, piece.name) ? values[piece.name] : undefined;
      return value === undefined ? template.source.slice(piece.start, piece.end) : valueText(value);
    })
    .join("");
}

/** A template that renders to `text` for any values. */
export function escapeTemplate(text: string, syntax: PlainSyntax): string {
  let escaped = "";
  let position = 0;
  for (const found of placeholders(text, syntax)) {
    const backslashes = countBackslashes(text, position, found.start);
    escaped += text.slice(position, found.start) + "\\".repeat(backslashes + 1);
    escaped += text.slice(found.start, found.end);
    position = found.end;
  }
  return escaped + text.slice(position);
}

/** Variables without a value. */
export function findMissing(names: readonly string[], values: Values): string[] {
  return names.filter((name) => !Object.hasOwn(values, name));
}

/** Values without a variable. */
export function findUnused(names: readonly string[], values: Values): string[] {
  const used = new Set(names);
  return Object.keys(values).filter((name) => !used.has(name));
}

/** Values typed for a Nunjucks template: lists and objects are JSON, and can be iterated over. */
export function readTyped(typed: Readonly<Record<string, string>>): Record<string, JsonValue> {
  return Object.fromEntries(Object.entries(typed).map(([name, text]) => [name, readValue(text)]));
}

function readValue(text: string): JsonValue {
  if (!/^\s*[[{]/.test(text)) {
    return text;
  }
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

/** Text of a JSON value inside a prompt: strings unchanged, other values as single-line JSON. */
export function valueText(value: JsonValue): string {
  return typeof value === "string" ? value : jsonText(value);
}

function jsonText(value: JsonValue): string {
  if (Array.isArray(value)) {
    return `[${value.map(jsonText).join(",")}]`;
  }
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value)
      .sort(([one], [other]) => compareCodePoints(one, other))
      .map(([key, member]) => `${JSON.stringify(key)}:${jsonText(member)}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value);
}

/** JavaScript compares UTF-16 units, which misplaces characters outside the basic plane. */
function compareCodePoints(one: string, other: string): number {
  const left = Array.from(one, (character) => character.codePointAt(0) ?? 0);
  const right = Array.from(other, (character) => character.codePointAt(0) ?? 0);
  for (const [index, point] of left.entries()) {
    const difference = point - (right[index] ?? -1);
    if (difference !== 0) {
      return difference;
    }
  }
  return left.length - right.length;
}

/** All placeholder-shaped ranges, escaped or not. */
function* placeholders(text: string, syntax: PlainSyntax): Generator<Variable> {
  const opening = OPENING[syntax];
  const rest = REST[syntax];
  let start = text.indexOf(opening);
  while (start !== -1) {
    rest.lastIndex = start + opening.length;
    const match = rest.exec(text);
    // Extra braces may precede a placeholder: `{{{name}}}` is one between two braces.
    let following = start + 1;
    if (match?.[1] !== undefined) {
      following = rest.lastIndex;
      yield { name: match[1], start, end: following };
    }
    start = text.indexOf(opening, following);
  }
}

/** Number of consecutive backslashes right before `end`, not before `begin`. */
function countBackslashes(text: string, begin: number, end: number): number {
  let position = end;
  while (position > begin && text[position - 1] === "\\") {
    position -= 1;
  }
  return end - position;
}
