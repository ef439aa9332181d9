import type { EditableParts } from "@/api/types";
import type { Content, FewShot } from "@/components/prompt-editor/content";

/** The parts of a prompt as they are edited. */
export type EditedParts = Pick<Content, "text" | "system" | "fewShots">;

export function editedOf(parts: EditableParts): EditedParts {
  return {
    text: parts.text,
    system: parts.system ?? "",
    fewShots: parts.few_shots.map((pair) => ({ ...pair, key: crypto.randomUUID() })),
  };
}

/** As sent: every part, whole. */
export function partsBody({ text, system, fewShots }: EditedParts): EditableParts {
  return {
    text,
    system: system.trim() === "" ? null : system,
    few_shots: fewShots.map(({ user, assistant }) => ({ user, assistant })),
  };
}

export function isSameEdit(one: EditedParts, other: EditedParts): boolean {
  return JSON.stringify(partsBody(one)) === JSON.stringify(partsBody(other));
}

/** Examples as one text, for diffs; as the server writes them. */
export function writeExamples(fewShots: readonly Pick<FewShot, "user" | "assistant">[]): string {
  return fewShots
    .map(({ user, assistant }) => `User:\n${user}\nAssistant:\n${assistant}\n`)
    .join("\n");
}
