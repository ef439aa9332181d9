/**
 * Parser for the subset of Markdown used in model answers; returns a tree of plain values. The tree
 * contains no HTML, and nothing is loaded from other hosts.
 */
export type Inline =
  | { kind: "text" | "code" | "strong" | "emphasis"; text: string }
  | { kind: "link"; text: string; address: string };

export type Block =
  | { kind: "heading"; level: number; content: Inline[] }
  | { kind: "paragraph" | "quote"; content: Inline[] }
  | { kind: "list"; ordered: boolean; items: Inline[][] }
  | { kind: "code"; text: string }
  | { kind: "rule" };

const INLINE =
  /`([^`\n]+)`|\*\*([^*\n]+)\*\*|__([^_\n]+)__|\*([^*\s][^*\n]*)\*|!?\[([^\]\n]*)\]\((\S+?)\)/g;

export function parseInline(text: string): Inline[] {
  const found: Inline[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, stars, bars, emphasis, label, address] = match;
    if (match.index > end) {
      found.push({ kind: "text", text: text.slice(end, match.index) });
    }
    end = match.index + whole.length;
    const strong = stars ?? bars;
    if (code !== undefined) {
      found.push({ kind: "code", text: code });
    } else if (strong !== undefined) {
      found.push({ kind: "strong", text: strong });
    } else if (emphasis !== undefined) {
      found.push({ kind: "emphasis", text: emphasis });
    } else {
      found.push({ kind: "link", text: label ?? "", address: address ?? "" });
    }
  }
  if (end < text.length) {
    found.push({ kind: "text", text: text.slice(end) });
  }
  return found;
}

const HEADING = /^(#{1,6})\s+(.*)$/;
const ITEM = /^\s*(?:[-*+]|(\d+)[.)])\s+(.*)$/;
const QUOTE = /^>\s?(.*)$/;
const RULE = /^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/;
const FENCE = /^\s*(`{3,}|~{3,})/;

/** Removes and returns leading lines while they fit. */
function takeWhile(lines: string[], fits: (line: string) => boolean): string[] {
  const end = lines.findIndex((line) => !fits(line));
  return lines.splice(0, end === -1 ? lines.length : end);
}

function takeCode(lines: string[], fence: string): Block {
  lines.shift();
  const body = takeWhile(lines, (line) => !line.trim().startsWith(fence));
  lines.shift();
  return { kind: "code", text: body.join("\n") };
}

function takeList(lines: string[], ordered: boolean): Block {
  const items = takeWhile(
    lines,
    (line) => ITEM.test(line) && (ITEM.exec(line)?.[1] !== undefined) === ordered,
  );
  return {
    kind: "list",
    ordered,
    items: items.map((line) => parseInline(ITEM.exec(line)?.[2] ?? "")),
  };
}

const startsBlock = (line: string) =>
  line.trim() === "" || [HEADING, ITEM, QUOTE, RULE, FENCE].some((form) => form.test(line));

function takeBlock(lines: string[]): Block {
  const [line = ""] = lines;
  const fence = FENCE.exec(line)?.[1];
  if (fence !== undefined) {
    return takeCode(lines, fence);
  }
  const heading = HEADING.exec(line);
  if (heading !== null) {
    lines.shift();
    const [, marks = "#", text = ""] = heading;
    return { kind: "heading", level: marks.length, content: parseInline(text) };
  }
  if (RULE.test(line)) {
    lines.shift();
    return { kind: "rule" };
  }
  if (QUOTE.test(line)) {
    const quoted = takeWhile(lines, (each) => QUOTE.test(each));
    const text = quoted.map((each) => QUOTE.exec(each)?.[1] ?? "").join("\n");
    return { kind: "quote", content: parseInline(text) };
  }
  const item = ITEM.exec(line);
  if (item !== null) {
    return takeList(lines, item[1] !== undefined);
  }
  const first = lines.shift() ?? "";
  const rest = takeWhile(lines, (each) => !startsBlock(each));
  return { kind: "paragraph", content: parseInline([first, ...rest].join("\n")) };
}

export function parseMarkdown(text: string): Block[] {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const blocks: Block[] = [];
  while (lines.length > 0) {
    if (lines[0]?.trim() === "") {
      lines.shift();
    } else {
      blocks.push(takeBlock(lines));
    }
  }
  return blocks;
}

/** Text as one paragraph without list markers, for table rows. */
export function withoutListMarks(text: string): string {
  return text.replace(/^\s*[-*] /gm, "");
}
