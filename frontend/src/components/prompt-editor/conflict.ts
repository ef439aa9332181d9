import type { Content, Part } from "./content";

/** Which parts two drafts differ in, how they read beside each other, and what a choice makes. */
export type ConflictPart = Part | "syntax";
export type Choices = Partial<Record<ConflictPart, "mine" | "theirs">>;

const FIELDS = {
  system: "system",
  text: "text",
  few_shots: "fewShots",
  tools: "toolsText",
  syntax: "syntax",
} as const satisfies Record<ConflictPart, keyof Content>;

const CONFLICT_PARTS = ["system", "text", "few_shots", "tools", "syntax"] as const;

export function writtenPart(content: Content, part: ConflictPart): string {
  if (part !== "few_shots") {
    return content[FIELDS[part]];
  }
  return content.fewShots
    .flatMap(({ user, assistant }, index) => [
      `## ${index + 1} · user`,
      user,
      `## ${index + 1} · assistant`,
      assistant,
    ])
    .join("\n");
}

export function conflictingParts(mine: Content, theirs: Content): ConflictPart[] {
  return CONFLICT_PARTS.filter((part) => writtenPart(mine, part) !== writtenPart(theirs, part));
}

/** What is not chosen is kept as one's own. */
export function chosenContent(mine: Content, theirs: Content, choices: Choices): Content {
  const taken = CONFLICT_PARTS.filter((part) => choices[part] === "theirs").map((part) => [
    FIELDS[part],
    theirs[FIELDS[part]],
  ]);
  return { ...mine, ...(Object.fromEntries(taken) as Partial<Content>) };
}
