import type { Conversation } from "@/api/prompts";
import type { DraftBody, DraftRead, ToolBody } from "@/api/types";
import { findVariables, parseTemplate, type Syntax } from "@/lib/template";
import { readTools, writeTools } from "./tools";

/** Content of the prompt editors. Tools are text, since they are invalid while being typed. */
export interface Content {
  syntax: Syntax;
  system: string;
  text: string;
  fewShots: readonly FewShot[];
  toolsText: string;
}

export interface FewShot {
  /** Stable list key while pairs are moved; never sent. */
  key: string;
  user: string;
  assistant: string;
}

export type Part = "system" | "text" | "few_shots" | "tools";
export const PARTS = ["system", "text", "few_shots", "tools"] as const satisfies Part[];
export const MOST_FEW_SHOTS = 10;
export const LONGEST = { system: 5_000, text: 20_000 } as const;

export function contentOf(
  draft: Pick<DraftRead, Exclude<keyof DraftBody, "tools">> & { tools: readonly ToolBody[] },
): Content {
  return {
    syntax: draft.syntax,
    system: draft.system ?? "",
    text: draft.text,
    fewShots: draft.few_shots.map((pair) => ({ ...pair, key: crypto.randomUUID() })),
    toolsText: writeTools(draft.tools),
  };
}

/** Request body. Unreadable tools keep their last saved value. */
export function bodyOf(content: Content, savedTools: readonly ToolBody[]): DraftBody {
  return {
    syntax: content.syntax,
    system: content.system.trim() === "" ? null : content.system,
    text: content.text,
    few_shots: content.fewShots.map(({ user, assistant }) => ({ user, assistant })),
    tools: [...(readTools(content.toolsText) ?? savedTools)],
  };
}

/** The prompt as sent to a model, with its variables. */
export function conversationOf(content: Content): Conversation {
  return {
    system: content.system === "" ? null : content.system,
    messages: [
      ...content.fewShots.flatMap(({ user, assistant }) => [
        { role: "user" as const, text: user },
        { role: "assistant" as const, text: assistant },
      ]),
      { role: "user" as const, text: content.text },
    ],
    tools: readTools(content.toolsText) ?? [],
  };
}

export function isSame(one: Content, other: Content): boolean {
  const parts = (content: Content) => [
    content.syntax,
    content.system,
    content.text,
    content.toolsText,
    ...content.fewShots.flatMap((pair) => [pair.user, pair.assistant]),
  ];
  const [left, right] = [parts(one), parts(other)];
  return left.length === right.length && left.every((part, index) => part === right[index]);
}

/** Position of a text in a prompt: a part and, for few-shot examples, index and side. */
export interface Place {
  part: Exclude<Part, "tools">;
  fewShot?: { key: string; side: "user" | "assistant" };
}

export interface Occurrence extends Place {
  from: number;
  to: number;
}

function texts({ system, fewShots, text }: Content): [Place, string][] {
  return [
    [{ part: "system" }, system],
    ...fewShots.flatMap(({ key, user, assistant }): [Place, string][] => [
      [{ part: "few_shots", fewShot: { key, side: "user" } }, user],
      [{ part: "few_shots", fewShot: { key, side: "assistant" } }, assistant],
    ]),
    [{ part: "text" }, text],
  ];
}

/** All uses of each variable, in the order in which a model reads them. */
export function findOccurrences(content: Content): Map<string, Occurrence[]> {
  const found = new Map<string, Occurrence[]>();
  for (const [place, text] of texts(content)) {
    for (const { name, start, end } of findVariables(parseTemplate(text, content.syntax))) {
      found.set(name, [...(found.get(name) ?? []), { ...place, from: start, to: end }]);
    }
  }
  return found;
}

/** Counts code points, as the server does. */
export function countCharacters(text: string): number {
  return Array.from(text).length;
}
