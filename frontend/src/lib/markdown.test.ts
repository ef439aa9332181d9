import { describe, expect, it } from "vitest";
import { parseInline, parseMarkdown } from "./markdown";

describe("markdown", () => {
  it("knows the blocks that models write", () => {
    const text = "# Hi\nOne\ntwo\n\n- a\n- **b**\n\n1. c\n> said\n---\n```py\nx = 1\n\n# no\n```";
    expect(parseMarkdown(text)).toEqual([
      { kind: "heading", level: 1, content: [{ kind: "text", text: "Hi" }] },
      { kind: "paragraph", content: [{ kind: "text", text: "One\ntwo" }] },
      {
        kind: "list",
        ordered: false,
        items: [[{ kind: "text", text: "a" }], [{ kind: "strong", text: "b" }]],
      },
      { kind: "list", ordered: true, items: [[{ kind: "text", text: "c" }]] },
      { kind: "quote", content: [{ kind: "text", text: "said" }] },
      { kind: "rule" },
      { kind: "code", text: "x = 1\n\n# no" },
    ]);
  });

  it("keeps what it does not know as text, HTML above all", () => {
    expect(parseMarkdown("<script>alert(1)</script> 2 * 3 * 4")).toEqual([
      {
        kind: "paragraph",
        content: [{ kind: "text", text: "<script>alert(1)</script> 2 * 3 * 4" }],
      },
    ]);
    expect(parseInline("a `<b>` *c*")).toEqual([
      { kind: "text", text: "a " },
      { kind: "code", text: "<b>" },
      { kind: "text", text: " " },
      { kind: "emphasis", text: "c" },
    ]);
  });

  it("loads no image and follows no link", () => {
    expect(parseInline("![x](https://evil.example/p.png)")).toEqual([
      { kind: "link", text: "x", address: "https://evil.example/p.png" },
    ]);
  });

  it("ends where the text ends, even inside a fence", () => {
    expect(parseMarkdown("```\nopen")).toEqual([{ kind: "code", text: "open" }]);
    expect(parseMarkdown("")).toEqual([]);
  });
});
