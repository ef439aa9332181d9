import { EditorState, Text } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { findFold } from "./folding";
import { toggleFrozen } from "./frozen-lines";
import { findJsonProblems } from "./json-problems";
import { findTemplateProblems } from "./template-problems";

function folded(text: string, line: number): string | null {
  const doc = Text.of(text.split("\n"));
  const fold = findFold(doc, line);
  return fold === null ? null : doc.sliceString(fold.from, fold.to);
}

describe("folding", () => {
  it("hides the inside of a tag up to the line that closes it", () => {
    expect(folded("<rules>\nBe kind.\nBe brief.\n</rules>\nGo.", 1)).toBe("\nBe kind.\nBe brief.");
  });

  it("follows tags of the same name inside each other", () => {
    expect(folded("<a>\n<a>\nx\n</a>\ny\n</a>", 1)).toBe("\n<a>\nx\n</a>\ny");
  });

  it("leaves a tag alone that is closed on its line or never", () => {
    expect(folded("<b>bold</b>\nmore", 1)).toBeNull();
    expect(folded("<open>\nmore", 1)).toBeNull();
  });

  it("hides what stands below a heading, smaller headings included", () => {
    expect(folded("# One\ntext\n## Two\nmore\n\n# Three", 1)).toBe("\ntext\n## Two\nmore");
  });

  it("hides lines that are indented under another one", () => {
    expect(folded("Steps:\n  1\n\n  2\nEnd", 1)).toBe("\n  1\n\n  2");
  });
});

describe("template problems", () => {
  const double = { syntax: "double", missing: new Set<string>() } as const;

  it("finds nothing in a good template", () => {
    expect(findTemplateProblems('Hello {{name}}, answer {"a": 1}.', double)).toEqual([]);
  });

  it("underlines what looks like a variable and is none", () => {
    const [problem, ...rest] = findTemplateProblems("{{first name}} and {{name}}", double);
    expect(rest).toEqual([]);
    expect(problem).toMatchObject({ from: 0, to: 14, severity: "warning" });
  });

  it("lets escaped braces be", () => {
    expect(findTemplateProblems("\\{{first name}} {{name}}", double)).toEqual([]);
  });

  it("underlines placeholders of the other syntax when there are none of its own", () => {
    expect(findTemplateProblems("Hello {name}", double)).toMatchObject([{ from: 6, to: 12 }]);
    expect(findTemplateProblems("Hello {name} {{city}}", double)).toEqual([]);
    expect(
      findTemplateProblems("Hello {{name}}", { syntax: "single", missing: new Set() }),
    ).toMatchObject([{ from: 6, to: 14 }]);
  });

  it("names every use of a variable without a value", () => {
    const problems = findTemplateProblems("{{a}} {{b}} {{a}}", {
      syntax: "double",
      missing: new Set(["a"]),
    });
    expect(problems.map(({ from, to }) => [from, to])).toEqual([
      [0, 5],
      [12, 17],
    ]);
    expect(problems[0]?.message).toBe("a has no value in the preview.");
  });
});

describe("JSON problems", () => {
  const fine = () => [];
  const at = (...path: (string | number)[]) => [{ path, message: "wrong" }];

  it("finds nothing in an empty text or in valid JSON", () => {
    expect(findJsonProblems("", fine)).toEqual([]);
    expect(findJsonProblems('[{"name": "x"}]', fine)).toEqual([]);
  });

  it("shows where JSON ends to be JSON", () => {
    const text = '[\n  {"name": "x",}\n]';
    const [problem] = findJsonProblems(text, fine);
    expect(problem?.severity).toBe("error");
    expect(problem?.message).toContain("line 2");
  });

  it("shows an unfinished text at its end", () => {
    expect(findJsonProblems("[1, 2", fine)).toMatchObject([{ to: 5, severity: "error" }]);
  });

  it("underlines the value that a finding is about", () => {
    const text = '[{"name": "x", "parameters": {"type": "objekt"}}]';
    const [problem] = findJsonProblems(text, () => at(0, "parameters", "type"));
    expect(text.slice(problem?.from, problem?.to)).toBe('"objekt"');
  });

  it("underlines the first line of the innermost value when the one at fault is absent", () => {
    const text = '[\n  {\n    "description": "x"\n  }\n]';
    const [problem] = findJsonProblems(text, () => at(0, "name"));
    expect(text.slice(problem?.from, problem?.to)).toBe("{");
  });
});

describe("frozen lines", () => {
  const toggled = (doc: string, anchor: number, head = anchor) => {
    const state = EditorState.create({ doc, selection: { anchor, head } });
    return state.update({ changes: toggleFrozen(state) }).state.doc.toString();
  };

  it("freezes the selected lines", () => {
    expect(toggled("one\ntwo\nthree", 5)).toBe("one\n[[frozen]]\ntwo\n[[/frozen]]\nthree");
    expect(toggled("one\ntwo", 1, 6)).toBe("[[frozen]]\none\ntwo\n[[/frozen]]");
  });

  it("unfreezes the section that is touched, and no other", () => {
    const other = "[[frozen]]\nb\n[[/frozen]]";
    const text = `[[frozen]]\na\n[[/frozen]]\n${other}`;
    expect(toggled(text, 11)).toBe(`a\n${other}`);
    expect(toggled(`x\n${other}`, 14)).toBe("x\nb");
    expect(toggled(`x\n${other}`, 0)).toBe(`[[frozen]]\nx\n[[/frozen]]\n${other}`);
  });
});
