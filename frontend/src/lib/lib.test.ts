import { describe, expect, it } from "vitest";
import { missingRules, passwordStrength } from "./password";
import { diffRecords } from "./record-diff";
import { definedOnly, flagParam, safeNext, textParam } from "./search";

describe("safeNext", () => {
  it.each([
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "javascript:1",
    "/\t/evil",
  ])("refuses %s", (next) => expect(safeNext(next)).toBe("/projects"));
  it("keeps a page of this application with its search", () => {
    expect(safeNext("/p/demo/audit?outcome=denied")).toBe("/p/demo/audit?outcome=denied");
  });
  it("does not lead back to signing in", () => {
    expect(safeNext("/login?next=/x")).toBe("/projects");
    expect(safeNext("/logins")).toBe("/logins");
  });
});

describe("search parameters", () => {
  it("reads a number in the address as the text that was typed", () => {
    expect(textParam(2024)).toBe("2024");
    expect(textParam({})).toBeUndefined();
  });
  it("knows only true as a flag", () => {
    expect(flagParam("true")).toBe(true);
    expect(flagParam("no")).toBeUndefined();
  });
  it("drops what is not set", () => {
    expect(definedOnly({ q: undefined, role: "OWNER" })).toEqual({ role: "OWNER" });
  });
});

describe("password", () => {
  it("names each missing rule", () => {
    expect(missingRules("abc")).toEqual(["too_short", "no_upper", "no_digit", "no_special"]);
    expect(missingRules("Analytical-Engine-1843!")).toEqual([]);
    expect(missingRules(`Aa1!${"x".repeat(125)}`)).toEqual(["too_short"]);
  });
  it("is good when all rules are met and strong when long and varied", () => {
    expect(passwordStrength("abc")).toBe("weak");
    expect(passwordStrength("Abcdefghijkl1")).toBe("fair");
    expect(passwordStrength("Abcdefghij1!")).toBe("good");
    expect(passwordStrength("Analytical-Engine-1843!")).toBe("strong");
    expect(passwordStrength("Aa1!aaaaaaaaaaaaaaaa")).toBe("good");
  });
});

describe("diffRecords", () => {
  it("shows changes first, nested fields by dotted name", () => {
    expect(
      diffRecords(
        { a: 1, deep: { x: "old", y: true } },
        { a: 1, deep: { x: "new", y: true }, b: [2] },
      ),
    ).toEqual([
      { path: "b", kind: "added", before: null, after: "[2]" },
      { path: "deep.x", kind: "changed", before: "old", after: "new" },
      { path: "a", kind: "same", before: "1", after: "1" },
      { path: "deep.y", kind: "same", before: "true", after: "true" },
    ]);
  });
  it("shows a deleted record as removed fields", () => {
    expect(diffRecords({ name: "x" }, null)).toEqual([
      { path: "name", kind: "removed", before: "x", after: null },
    ]);
  });
});
