/** The statistical words that the interface explains; their texts are below `terms`. */
export const TERMS = [
  "agreement",
  "asGood",
  "baseline",
  "bias",
  "calibration",
  "composite",
  "confirmedDrop",
  "corrected",
  "deviation",
  "heldOut",
  "interval",
  "minimumEffect",
  "needed",
  "noEvidence",
  "overfitting",
  "pairedTest",
  "paretoFront",
  "percentile",
  "pValue",
  "rating",
  "sequence",
  "significance",
  "training",
  "winRate",
  "wornOut",
] as const;

export type Term = (typeof TERMS)[number];

/** Part of a text; `term` is what it means, if it is such a word. */
export interface TextPart {
  text: string;
  term: Term | null;
}

const escaped = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/**
 * Splits a text at the first mention of each term. `words` has the spellings of a term, separated by
 * "|"; letters may follow, as in the plural.
 */
export function splitAtTerms(text: string, words: (term: Term) => string): TextPart[] {
  const spellings = TERMS.flatMap((term) =>
    words(term)
      .split("|")
      .map((word) => ({ term, word })),
  ).sort((one, other) => other.word.length - one.word.length);
  const pattern = new RegExp(
    spellings.map(({ word }) => `(?<![\\w-])${escaped(word)}[a-z]*`).join("|"),
    "gi",
  );
  const parts: TextPart[] = [];
  const met = new Set<Term>();
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const said = match[0].toLowerCase();
    const term = spellings.find(({ word }) => said.startsWith(word.toLowerCase()))?.term;
    if (term === undefined || met.has(term)) {
      continue;
    }
    met.add(term);
    if (match.index > end) {
      parts.push({ text: text.slice(end, match.index), term: null });
    }
    end = match.index + match[0].length;
    parts.push({ text: match[0], term });
  }
  return end < text.length ? [...parts, { text: text.slice(end), term: null }] : parts;
}
