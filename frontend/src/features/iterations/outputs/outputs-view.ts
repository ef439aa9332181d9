import type { SideFilter } from "@/api/side-by-side";
import type { CaseOrder, Cell } from "@/api/types";

export const CASE_ORDERS = [
  "position",
  "worst",
  "best",
  "difference",
  "disagreement",
  "cost",
  "latency",
] as const satisfies readonly CaseOrder[];

export const LOWEST = 0;
export const HIGHEST = 10;

export interface ScoreBounds {
  low: number;
  high: number;
}

const isBetween = ({ low, high }: ScoreBounds) => LOWEST <= low && low <= high && high <= HIGHEST;

/** "2.5-7" is from 2.5 up to 7 of ten; undefined for what is no such range. */
export function readScores(score: string | undefined): ScoreBounds | undefined {
  const found = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/.exec(score ?? "");
  const bounds = { low: Number(found?.[1]), high: Number(found?.[2]) };
  return found !== null && isBetween(bounds) ? bounds : undefined;
}

/** The other way round, from what was typed. Null for what is no range; all scores are none. */
export function writeScores(typed: Record<"low" | "high", string>): { score?: string } | null {
  const low = typed.low.trim() === "" ? LOWEST : Number(typed.low);
  const high = typed.high.trim() === "" ? HIGHEST : Number(typed.high);
  if (!isBetween({ low, high })) {
    return null;
  }
  return low === LOWEST && high === HIGHEST ? {} : { score: `${low}-${high}` };
}

/** As an address has it, which anybody may have typed. */
export const scoreParam = (value: unknown): string | undefined =>
  typeof value === "string" && readScores(value) !== undefined ? value : undefined;

/** Judges that are two of ten apart do not mean the same. */
const APART = 0.2;

/** Which answers are side by side, as the address says. */
export interface OutputsView {
  /** Columns, with commas between them. */
  columns?: string | undefined;
  order?: CaseOrder | undefined;
  criterion?: string | undefined;
  /** From and to, of ten: "2.5-7". */
  score?: string | undefined;
  status?: Cell["status"] | undefined;
  /** "tag:refund", "difficulty:2", "length:XL". */
  facet?: string | undefined;
  flagged?: true | undefined;
  apart?: true | undefined;
  /** Position of the case that is shown. */
  case?: string | undefined;
}

const LENGTHS = ["XS", "S", "M", "L", "XL"] as const;

function facetOf(facet: string | undefined): Pick<SideFilter, "tag" | "difficulty" | "length"> {
  if (facet === undefined) {
    return {};
  }
  const colon = facet.indexOf(":");
  const [kind, value] = [facet.slice(0, colon), facet.slice(colon + 1)];
  if (kind === "difficulty" && /^[1-5]$/.test(value)) {
    return { difficulty: Number(value) };
  }
  if (kind === "length") {
    return { length: LENGTHS.find((length) => length === value) };
  }
  return kind === "tag" ? { tag: value } : {};
}

/** What is asked of the server. */
export function toFilter(view: OutputsView, columns: readonly string[]): SideFilter {
  const scores = readScores(view.score);
  return {
    columns,
    order: view.order,
    criterion: view.criterion,
    status: view.status,
    minScore: scores === undefined ? undefined : scores.low / HIGHEST,
    maxScore: scores === undefined ? undefined : scores.high / HIGHEST,
    minDisagreement: view.apart === true ? APART : undefined,
    isFlagged: view.flagged,
    ...facetOf(view.facet),
  };
}

/** Whether anything but order and columns was chosen. */
export function isFiltered({ criterion, score, status, facet, flagged, apart }: OutputsView) {
  return [criterion, score, status, facet, flagged, apart].some((each) => each !== undefined);
}

export const NO_FILTERS = {
  criterion: undefined,
  score: undefined,
  status: undefined,
  facet: undefined,
  flagged: undefined,
  apart: undefined,
} as const;
