/**
 * Variables of Nunjucks templates, for highlighting. The server renders and validates; the names
 * agree with `src/edison/pipeline/render/nunjucks/names.py` (`nunjucks_names.json` checks both).
 */

/** A name that the template reads from its values: `text.slice(start, end)`. */
export interface NameUse {
  name: string;
  start: number;
  end: number;
}

interface Token {
  kind: "name" | "literal" | "sign";
  text: string;
  start: number;
}

/** A block that is open, and the names it defines. */
interface Block {
  tag: string;
  names: Set<string>;
}

// A tag left open makes promptfoo send the whole text unchanged.
const OPEN_TAG = /\{%[^%]*$|\{\{[^}]*$|\{#[^#]*$/m;
const OPENING = /\{\{-?|\{%-?|\{#/g;
const TOKEN =
  /\s+|(?<literal>"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|\d+(?:\.\d+)?)|(?<name>[^\s()[\]{}%*\-+~/#,:|.<>=!"']+)|(?<end>-?(?:\}\}|%\}))|(?<sign>[=!]==?|[<>]=|\/\/|\*\*|[^\s])/suy;
const WORDS = new Set("and or not in is if else true false none null".split(" "));
const GIVEN = new Set("range cycler joiner env loop caller".split(" "));
const RAW = new Set(["raw", "verbatim"]);
const BLOCKS = new Set(
  "if ifAsync for asyncEach asyncAll macro call filter switch block".split(" "),
);
const LOOPS = new Set(["for", "asyncEach", "asyncAll"]);
const WITHOUT_NAMES = new Set("block extends include import from".split(" "));

/** Uses of variables in order of position. */
export function findNames(text: string): NameUse[] {
  if (OPEN_TAG.test(text) && !/\{%\s*raw\s*%\}/.test(text)) {
    return [];
  }
  const reader = new Reader();
  let position = 0;
  for (;;) {
    OPENING.lastIndex = position;
    const opening = OPENING.exec(text);
    if (opening === null) {
      return reader.uses;
    }
    if (opening[0] === "{#") {
      const end = text.indexOf("#}", OPENING.lastIndex);
      position = end === -1 ? text.length : end + 2;
      continue;
    }
    const { tokens, end } = tokenize(text, OPENING.lastIndex);
    position = end;
    const [tag] = tokens;
    if (opening[0].startsWith("{{")) {
      reader.read(tokens);
    } else if (tag !== undefined && RAW.has(tag.text)) {
      position = afterRaw(text, tag.text, end);
    } else if (tag !== undefined) {
      reader.readTag(tag.text, tokens.slice(1));
    }
  }
}

function tokenize(text: string, start: number): { tokens: Token[]; end: number } {
  const tokens: Token[] = [];
  TOKEN.lastIndex = start;
  for (;;) {
    const at = TOKEN.lastIndex;
    const groups = TOKEN.exec(text)?.groups;
    if (groups === undefined || groups.end !== undefined) {
      return { tokens, end: groups === undefined ? text.length : TOKEN.lastIndex };
    }
    for (const kind of ["name", "literal", "sign"] as const) {
      const found = groups[kind];
      if (found !== undefined) {
        tokens.push({ kind, text: found, start: at });
      }
    }
  }
}

function afterRaw(text: string, tag: string, from: number): number {
  const rest = text.slice(from);
  const end = new RegExp(`\\{%-?\\s*end${tag}\\s*-?%\\}`).exec(rest);
  return end === null ? text.length : from + end.index + end[0].length;
}

class Reader {
  readonly uses: NameUse[] = [];
  private readonly blocks: Block[] = [{ tag: "", names: new Set() }];

  private get innermost(): Block {
    return this.blocks[this.blocks.length - 1] ?? { tag: "", names: new Set() };
  }

  readTag(tag: string, tokens: Token[]): void {
    if (tag.startsWith("end") && this.blocks.length > 1) {
      this.blocks.pop();
    } else if (tag === "else" && LOOPS.has(this.innermost.tag)) {
      this.innermost.names.clear();
    } else if (LOOPS.has(tag)) {
      this.readLoop(tag, tokens);
    } else if (tag === "set") {
      this.readSet(tokens);
    } else if (tag === "macro" || tag === "call") {
      this.readMacro(tag, tokens);
    } else {
      this.read(WITHOUT_NAMES.has(tag) ? [] : tag === "filter" ? tokens.slice(1) : tokens);
      if (BLOCKS.has(tag)) {
        this.open(tag, []);
      }
    }
  }

  read(tokens: readonly Token[]): void {
    const braces: string[] = [];
    for (const [at, token] of tokens.entries()) {
      const after = tokens[at + 1]?.text;
      if (token.kind === "sign" && "([{".includes(token.text)) {
        braces.push(token.text);
      } else if (token.kind === "sign" && ")]}".includes(token.text)) {
        braces.pop();
      }
      const around = braces[braces.length - 1];
      const isLabel = (around === "{" && after === ":") || (around === "(" && after === "=");
      if (token.kind === "name" && !isLabel && this.isRead(tokens, at)) {
        this.uses.push({
          name: token.text,
          start: token.start,
          end: token.start + token.text.length,
        });
      }
    }
  }

  private isRead(tokens: readonly Token[], at: number): boolean {
    const name = tokens[at]?.text ?? "";
    const before = tokens[at - 1]?.text;
    const isTest = before === "is" || (before === "not" && tokens[at - 2]?.text === "is");
    if (isTest || before === "." || before === "|" || WORDS.has(name) || GIVEN.has(name)) {
      return false;
    }
    return !this.blocks.some(({ names }) => names.has(name));
  }

  private open(tag: string, names: Iterable<string>): void {
    this.blocks.push({ tag, names: new Set(names) });
  }

  private readLoop(tag: string, tokens: readonly Token[]): void {
    const split = tokens.findIndex(({ text }) => text === "in");
    this.read(tokens.slice(split + 1));
    this.open(tag, namesIn(tokens.slice(0, Math.max(split, 0))));
  }

  private readSet(tokens: readonly Token[]): void {
    const split = tokens.findIndex(({ text }) => text === "=");
    if (split !== -1) {
      this.read(tokens.slice(split + 1));
    }
    for (const name of namesIn(split === -1 ? tokens : tokens.slice(0, split))) {
      this.innermost.names.add(name);
    }
    if (split === -1) {
      this.open("set", []);
    }
  }

  /** `macro name(a, b=c)` and `call(a) name(b)`: parameters are defined, defaults are read. */
  private readMacro(tag: string, tokens: readonly Token[]): void {
    const opening = tokens.findIndex(({ text }) => text === "(");
    const closing = tokens.findIndex(({ text }) => text === ")");
    const hasParameters = tag === "macro" || opening === 0;
    const parameters = hasParameters ? tokens.slice(opening + 1, closing) : [];
    const isValue = (at: number) => parameters[at - 1]?.text === "=";
    this.read(parameters.filter((_, at) => isValue(at)));
    if (tag === "call") {
      this.read(hasParameters ? tokens.slice(closing + 1) : tokens);
    } else {
      this.innermost.names.add(tokens[0]?.text ?? "");
    }
    this.open(tag, namesIn(parameters.filter((_, at) => !isValue(at))));
  }
}

function namesIn(tokens: readonly Token[]): string[] {
  return tokens.filter(({ kind }) => kind === "name").map(({ text }) => text);
}
