import { describe, expect, it } from "vitest";
import { aDraft } from "@/testing/builders";
import { chosenContent, conflictingParts } from "./conflict";
import { bodyOf, contentOf, countCharacters, findOccurrences, isSame } from "./content";
import { findToolProblems, readTools, writeTools } from "./tools";

describe("content", () => {
  it("counts the uses of each variable in the order in which a model meets them", () => {
    const content = contentOf(
      aDraft({
        system: "You know {{topic}}.",
        text: "{{name}}, {{name}}",
        few_shots: [{ user: "I am {{name}}", assistant: "Hi" }],
      }),
    );
    const found = findOccurrences(content);
    expect([...found].map(([name, uses]) => [name, uses.map((use) => use.part)])).toEqual([
      ["topic", ["system"]],
      ["name", ["few_shots", "text", "text"]],
    ]);
  });

  it("takes drafts for the same whatever keys their examples have", () => {
    const draft = aDraft({ few_shots: [{ user: "a", assistant: "b" }] });
    expect(isSame(contentOf(draft), contentOf(draft))).toBe(true);
    expect(isSame(contentOf(draft), { ...contentOf(draft), text: "other" })).toBe(false);
  });

  it("sends the tools that were saved last while the new ones cannot be read", () => {
    const saved = [{ name: "find", description: "", parameters: {} }];
    const content = { ...contentOf(aDraft({ tools: saved })), toolsText: "[{" };
    expect(bodyOf(content, saved).tools).toEqual(saved);
  });

  it("counts characters as people do", () => {
    expect(countCharacters("naïve 👍🏽")).toBe(8);
  });
});

describe("tools", () => {
  it("reads what it wrote, and an empty text as none", () => {
    const tools = [{ name: "find", description: "Finds", parameters: { type: "object" } }];
    expect(readTools(writeTools(tools))).toEqual(tools);
    expect(readTools("  ")).toEqual([]);
  });

  it.each([
    [{}, []],
    [["text"], [0]],
    [[{ name: "has space" }], [0, "name"]],
    [[{ name: "a", description: 5 }], [0, "description"]],
    [[{ name: "a", parameters: { type: "array" } }], [0, "parameters"]],
    [[{ name: "a", strict: true }], [0, "strict"]],
    [
      [{ name: "a" }, { name: "a" }],
      [1, "name"],
    ],
    [
      [{ name: "a", parameters: { properties: { x: { type: "strin" } } } }],
      [0, "parameters", "properties", "x", "type"],
    ],
    [[{ name: "a", parameters: { required: "x" } }], [0, "parameters", "required"]],
    [
      [{ name: "a", parameters: { anyOf: [{ minLength: -1 }] } }],
      [0, "parameters", "anyOf", 0, "minLength"],
    ],
    [
      [{ name: "a", parameters: { properties: { x: { pattern: "(" } } } }],
      [0, "parameters", "properties", "x", "pattern"],
    ],
  ])("finds what is wrong with %j", (value, path) => {
    expect(findToolProblems(value).map((finding) => finding.path)).toEqual([path]);
  });
});

describe("conflicts", () => {
  const mine = contentOf(aDraft({ text: "mine", system: "same" }));
  const theirs = contentOf(aDraft({ text: "theirs", system: "same", syntax: "single" }));

  it("asks about the parts that differ", () => {
    expect(conflictingParts(mine, theirs)).toEqual(["text", "syntax"]);
  });

  it("keeps the user's own text unless the other one is chosen", () => {
    expect(chosenContent(mine, theirs, { syntax: "theirs" })).toMatchObject({
      text: "mine",
      syntax: "single",
    });
  });
});
