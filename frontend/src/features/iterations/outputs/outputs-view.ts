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

/** Of ten: from the first up to the second. */
export const SCORE_BANDS = ["0-2", "2-4", "4-6", "6-8", "8-10"] as const;

/** Judges that are two of ten apart do not mean the same. */
const APART = 0.2;

/** Which answers are side by side, as the address says. */
export interface OutputsView {
  /** Columns, with commas between them. */
  columns?: string | undefined;
  order?: CaseOrder | undefined;
  criterion?: string | undefined;
  score?: (typeof SCORE_BANDS)[number] | undefined;
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
  const [low, high] = view.score?.split("-").map((bound) => Number(bound) / 10) ?? [];
  return {
    columns,
    order: view.order,
    criterion: view.criterion,
    status: view.status,
    minScore: low,
    maxScore: high,
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
