/**
 * Frozen sections of prompts, following `src/edison/pipeline/render/frozen.py`: lines between two
 * marks, which no strategy may change and models never see.
 */

export const OPEN = "[[frozen]]";
export const CLOSE = "[[/frozen]]";

export const isMark = (line: string) => [OPEN, CLOSE].includes(line.trim());

/** The text as it is sent to models. */
export function withoutMarks(text: string): string {
  return text
    .split(/(?<=\n)/)
    .filter((line) => !isMark(line))
    .join("");
}

export interface FrozenSection {
  /** Index of the line with the opening mark. */
  open: number;
  /** Index of the line with the closing mark; the number of lines if there is none. */
  close: number;
}

export function frozenSections(lines: readonly string[]): FrozenSection[] {
  const found: FrozenSection[] = [];
  let open: number | null = null;
  for (const [index, line] of lines.entries()) {
    const mark = line.trim();
    if (mark === OPEN) {
      open ??= index;
    } else if (mark === CLOSE && open !== null) {
      found.push({ open, close: index });
      open = null;
    }
  }
  return open === null ? found : [...found, { open, close: lines.length }];
}
