import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findNames } from "./nunjucks";
import { parseTemplate, readTyped, variableNames } from "./template";

const vectors = JSON.parse(
  readFileSync("../tests/pipeline/render/nunjucks_names.json", "utf8"),
) as { text: string; names: string[] }[];

describe("variables of Nunjucks templates", () => {
  it.each(vectors)("are those that the server finds in $text", ({ text, names }) => {
    const found = variableNames(parseTemplate(text, "nunjucks"));
    expect(new Set(found)).toEqual(new Set(names));
  });

  it("have the positions of their names", () => {
    const text = "{% if a.b %}{{ a | upper }}{% endif %}";
    const uses = findNames(text).map(({ start, end }) => [start, text.slice(start, end)]);
    expect(uses).toEqual([
      [6, "a"],
      [15, "a"],
    ]);
  });

  it("are found in a long text quickly", () => {
    expect(findNames("{{ a }} { x ".repeat(20_000))).toHaveLength(20_000);
  });
});

describe("typed values", () => {
  it("are JSON if they are lists or objects, and texts otherwise", () => {
    expect(readTyped({ a: '["x", 1]', b: "[x", c: "1", d: ' {"k": null}' })).toEqual({
      a: ["x", 1],
      b: "[x",
      c: "1",
      d: { k: null },
    });
  });
});
