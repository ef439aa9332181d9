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

/** Parses a score range out of 10, such as "2.5-7"; undefined when invalid. */
export function readScores(score: string | undefined): ScoreBounds | undefined {
  const found = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/.exec(score ?? "");
  const bounds = { low: Number(found?.[1]), high: Number(found?.[2]) };
  return found !== null && isBetween(bounds) ? bounds : undefined;
}

/** Formats the entered bounds. Null when they are no range; the full range is omitted. */
export function writeScores(typed: Record<"low" | "high", string>): { score?: string } | null {
  const low = typed.low.trim() === "" ? LOWEST : Number(typed.low);
  const high = typed.high.trim() === "" ? HIGHEST : Number(typed.high);
  if (!isBetween({ low, high })) {
    return null;
  }
  return low === LOWEST && high === HIGHEST ? {} : { score: `${low}-${high}` };
}

/** Parses the search parameter, which is user input. */
export const scoreParam = (value: unknown): string | undefined =>
  typeof value === "string" && readScores(value) !== undefined ? value : undefined;

/** Score difference from which judges count as disagreeing. */
const APART = 0.2;

/** Search parameters of the outputs tab. */
export interface OutputsView {
  /** Comma-separated columns. */
  columns?: string | undefined;
  order?: CaseOrder | undefined;
  criterion?: string | undefined;
  /** Score range out of 10: "2.5-7". */
  score?: string | undefined;
  status?: Cell["status"] | undefined;
  /** "tag:refund", "difficulty:2", "length:XL". */
  facet?: string | undefined;
  flagged?: true | undefined;
  apart?: true | undefined;
  /** Position of the shown case. */
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

/** API filter parameters. */
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

/** Whether any filter besides order and columns is set. */
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
