import { foldService } from "@codemirror/language";
import type { Text } from "@codemirror/state";

/**
 * Foldable ranges of a prompt: the content of an XML-like tag, the text below a heading, and lines
 * indented under another line.
 */
export interface Fold {
  from: number;
  to: number;
}

const OPENING_TAG = /<([A-Za-z][\w.-]*)(?:\s[^<>]*)?(?<!\/)>/g;
const HEADING = /^(#{1,6})\s/;

/** Name of the last tag opened and not closed on the line. */
function openedTag(line: string): string | null {
  const names = Array.from(line.matchAll(OPENING_TAG), (match) => match[1] ?? "");
  return names.findLast((name) => !line.includes(`</${name}>`)) ?? null;
}

function countOf(line: string, part: string): number {
  return line.split(part).length - 1;
}

function tagFold(doc: Text, number: number): Fold | null {
  const line = doc.line(number);
  const name = openedTag(line.text);
  if (name === null) {
    return null;
  }
  let depth = 1;
  for (let next = number + 1; next <= doc.lines; next += 1) {
    const { text, from } = doc.line(next);
    depth += countOf(text, `<${name}>`) - countOf(text, `</${name}>`);
    if (depth <= 0) {
      return next === number + 1 ? null : { from: line.to, to: from - 1 };
    }
  }
  return null;
}

/** Range from the end of a line over all following lines that belong to it. */
function foldWhile(doc: Text, number: number, belongs: (text: string) => boolean): Fold | null {
  let last = number;
  for (let next = number + 1; next <= doc.lines; next += 1) {
    const { text } = doc.line(next);
    if (text.trim() === "") {
      continue;
    }
    if (!belongs(text)) {
      break;
    }
    last = next;
  }
  return last === number ? null : { from: doc.line(number).to, to: doc.line(last).to };
}

function indentation(text: string): number {
  return text.length - text.trimStart().length;
}

export function findFold(doc: Text, number: number): Fold | null {
  const { text } = doc.line(number);
  if (text.trim() === "") {
    return null;
  }
  const level = HEADING.exec(text)?.[1]?.length;
  if (level !== undefined) {
    return foldWhile(doc, number, (below) => {
      const other = HEADING.exec(below)?.[1]?.length;
      return other === undefined || other > level;
    });
  }
  const depth = indentation(text);
  return tagFold(doc, number) ?? foldWhile(doc, number, (below) => indentation(below) > depth);
}

export const promptFolding = foldService.of((state, lineStart) =>
  findFold(state.doc, state.doc.lineAt(lineStart).number),
);
