import type { Content, Part } from "./content";

/** Parts in which two drafts differ, their texts for a diff, and the merge of the choices. */
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

/** Parts that are not chosen keep the user's own text. */
export function chosenContent(mine: Content, theirs: Content, choices: Choices): Content {
  const taken = CONFLICT_PARTS.filter((part) => choices[part] === "theirs").map((part) => [
    FIELDS[part],
    theirs[FIELDS[part]],
  ]);
  return { ...mine, ...(Object.fromEntries(taken) as Partial<Content>) };
}
