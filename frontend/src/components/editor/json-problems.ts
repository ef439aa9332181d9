import { jsonLanguage } from "@codemirror/lang-json";
import { i18n } from "@/lib/i18n";
import { readJson, type JsonCheck, type JsonPath } from "./json-values";
import type { EditorProblem } from "./problem";

type SyntaxNode = ReturnType<typeof jsonLanguage.parser.parse>["topNode"];

const VALUES = new Set(["Object", "Array", "String", "Number", "True", "False", "Null"]);

function values(node: SyntaxNode): SyntaxNode[] {
  return childrenOf(node).filter((child) => VALUES.has(child.name));
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    children.push(child);
  }
  return children;
}

function memberOf(node: SyntaxNode, key: string, text: string): SyntaxNode | undefined {
  return childrenOf(node).findLast((child) => {
    const name = child.getChild("PropertyName");
    return name !== null && text.slice(name.from, name.to) === JSON.stringify(key);
  });
}

function step(node: SyntaxNode, key: string | number, text: string): SyntaxNode | undefined {
  if (typeof key === "number") {
    return values(node)[key];
  }
  const member = memberOf(node, key, text);
  return member === undefined ? undefined : values(member)[0];
}

/** Range of the value at `path`; of its innermost existing ancestor when it is absent. */
function place(text: string, path: JsonPath): { from: number; to: number } {
  let node = values(jsonLanguage.parser.parse(text).topNode)[0];
  for (const key of path) {
    const next = node === undefined ? undefined : step(node, key, text);
    if (next === undefined) {
      break;
    }
    node = next;
  }
  return node === undefined ? { from: 0, to: text.length } : firstLine(text, node);
}

/** Limits the underline to the first line, because underlining a whole object is unreadable. */
function firstLine(text: string, { from, to }: SyntaxNode): { from: number; to: number } {
  const end = text.indexOf("\n", from);
  return { from, to: end === -1 ? to : Math.min(to, end) };
}

function syntaxProblem(text: string): EditorProblem {
  let from = text.trimEnd().length;
  jsonLanguage.parser.parse(text).iterate({
    enter: (node) => {
      if (node.type.isError) {
        from = Math.min(from, node.from);
      }
    },
  });
  return {
    from: Math.max(0, Math.min(from, text.length - 1)),
    to: Math.min(text.length, from + 1),
    severity: "error",
    message: i18n.t("editor.problems.notJson", {
      line: text.slice(0, from).split("\n").length,
    }),
  };
}

export function findJsonProblems(text: string, check: JsonCheck): EditorProblem[] {
  const value = readJson(text);
  if (value === undefined) {
    return [syntaxProblem(text)];
  }
  return check(value).map(({ path, message }) => ({
    ...place(text, path),
    severity: "error",
    message,
  }));
}
