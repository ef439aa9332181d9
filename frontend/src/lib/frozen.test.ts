import { describe, expect, it } from "vitest";
import { frozenSections, withoutMarks } from "./frozen";

const TEXT = "a\n[[frozen]]\nb\n  [[/frozen]]\nc [[frozen]]";

describe("frozen sections", () => {
  it("leaves out the lines of marks, and nothing else", () => {
    expect(withoutMarks(TEXT)).toBe("a\nb\nc [[frozen]]");
    expect(withoutMarks("a\n")).toBe("a\n");
  });

  it("finds sections; one without an end reaches to the end", () => {
    expect(frozenSections(TEXT.split("\n"))).toEqual([{ open: 1, close: 3 }]);
    expect(frozenSections(["[[frozen]]", "x"])).toEqual([{ open: 0, close: 2 }]);
    expect(frozenSections(["[[/frozen]]"])).toEqual([]);
  });
});
