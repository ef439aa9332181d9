export interface DiffPart {
  kind: "same" | "removed" | "added";
  text: string;
}

/** Beyond this many edits, a word diff is not useful. */
const MOST_STEPS = 500;

/** Words with trailing whitespace, punctuation separately; joining them gives the text. */
function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+\s*|[^\p{L}\p{N}_\s]\s*|\s+/gu) ?? [];
}

/** Compares words without trailing whitespace. */
const isSame = (one: string | undefined, other: string | undefined) =>
  one !== undefined && other !== undefined && (one === other || one.trim() === other.trim());

/**
 * Furthest-reaching paths per diagonal and number of edits (Myers, 1986); null when the texts
 * differ too much.
 */
function trace(before: readonly string[], after: readonly string[]): Map<number, number>[] | null {
  const reach = new Map<number, number>([[1, 0]]);
  const steps: Map<number, number>[] = [];
  for (let step = 0; step <= Math.min(MOST_STEPS, before.length + after.length); step += 1) {
    steps.push(new Map(reach));
    for (let diagonal = -step; diagonal <= step; diagonal += 2) {
      const [left, right] = [reach.get(diagonal - 1) ?? -1, reach.get(diagonal + 1) ?? -1];
      const isDown = diagonal === -step || (diagonal !== step && left < right);
      let x = isDown ? right : left + 1;
      while (x < before.length && isSame(before[x], after[x - diagonal])) {
        x += 1;
      }
      reach.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) {
        return steps;
      }
    }
  }
  return null;
}

function backtrack(
  before: readonly string[],
  after: readonly string[],
  steps: readonly Map<number, number>[],
): DiffPart[] {
  const parts: DiffPart[] = [];
  let [x, y] = [before.length, after.length];
  const take = (kind: DiffPart["kind"], text: string | undefined) =>
    parts.push({ kind, text: text ?? "" });
  for (let step = steps.length - 1; step >= 0; step -= 1) {
    const reach = steps[step] ?? new Map<number, number>();
    const diagonal = x - y;
    const [left, right] = [reach.get(diagonal - 1) ?? -1, reach.get(diagonal + 1) ?? -1];
    const isDown = diagonal === -step || (diagonal !== step && left < right);
    const fromX = isDown ? right : left;
    const fromY = fromX - (isDown ? diagonal + 1 : diagonal - 1);
    while (
      x > Math.max(0, fromX) &&
      y > Math.max(0, fromY) &&
      isSame(before[x - 1], after[y - 1])
    ) {
      take("same", after[y - 1]);
      x -= 1;
      y -= 1;
    }
    if (step > 0) {
      take(isDown ? "added" : "removed", isDown ? after[y - 1] : before[x - 1]);
      [x, y] = [fromX, fromY];
    }
  }
  return parts.reverse();
}

/** Merges adjacent parts of the same kind, so that a change reads as a phrase. */
function joined(parts: readonly DiffPart[]): DiffPart[] {
  const result: DiffPart[] = [];
  for (const { kind, text } of parts) {
    const last = result.at(-1);
    if (last?.kind === kind) {
      last.text += text;
    } else if (text !== "") {
      result.push({ kind, text });
    }
  }
  return result;
}

/** Word diff of two texts. */
export function diffWords(before: string, after: string): DiffPart[] {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const steps = trace(old, now);
  if (steps === null) {
    return joined([
      { kind: "removed", text: before },
      { kind: "added", text: after },
    ]);
  }
  return joined(backtrack(old, now, steps));
}
