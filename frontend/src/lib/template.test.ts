import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  escapeTemplate,
  findMissing,
  findUnused,
  findVariables,
  parseTemplate,
  renderTemplate,
  type PlainSyntax,
  type Values,
  variableNames,
} from "./template";

interface Vector {
  what: string;
  syntax: PlainSyntax;
  text: string;
  values: Values;
  rendered: string;
}
interface Vectors {
  /** Positions count code points, as Python does. */
  cases: (Vector & {
    variables: [name: string, start: number, end: number][];
    missing: string[];
    unused: string[];
  })[];
  long: (Vector & { times: number; variables: number })[];
}

const vectors = JSON.parse(
  readFileSync("../tests/pipeline/render/template_vectors.json", "utf8"),
) as Vectors;

function codePoints(text: string): number {
  return Array.from(text).length;
}

describe("the vectors shared with the server", () => {
  it.each(vectors.cases)("$syntax: $what", (vector) => {
    const template = parseTemplate(vector.text, vector.syntax);
    const found = findVariables(template).map(({ name, start, end }) => [
      name,
      codePoints(vector.text.slice(0, start)),
      codePoints(vector.text.slice(0, end)),
    ]);
    expect(found).toEqual(vector.variables);
    expect(renderTemplate(template, vector.values)).toBe(vector.rendered);
    const names = variableNames(template);
    expect(findMissing(names, vector.values)).toEqual(vector.missing);
    expect(findUnused(names, vector.values)).toEqual(vector.unused);
  });

  it.each(vectors.long)("very long, $syntax: $what", (vector) => {
    const template = parseTemplate(vector.text.repeat(vector.times), vector.syntax);
    expect(findVariables(template)).toHaveLength(vector.variables);
    expect(renderTemplate(template, vector.values)).toBe(vector.rendered.repeat(vector.times));
  });

  it.each(vectors.cases)("escaped, $syntax: $what", ({ text, syntax, values }) => {
    const template = parseTemplate(escapeTemplate(text, syntax), syntax);
    expect(findVariables(template)).toEqual([]);
    expect(renderTemplate(template, values)).toBe(text);
  });
});
