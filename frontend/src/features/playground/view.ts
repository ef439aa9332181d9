import type { Project } from "@/api/types";
import type { CellStatus, GridFilters, Metric, Mode, RowSort } from "./session";

/** Search parameters of the page: enough to share the view. */
export interface PlaygroundView {
  /** The latest by default. */
  run?: string | undefined;
  prompt?: string | undefined;
  metric?: Metric | undefined;
  mode?: Mode | undefined;
  status?: CellStatus | undefined;
  q?: string | undefined;
  min?: number | undefined;
  max?: number | undefined;
  output?: string | undefined;
  /** Sort by variant position: "1.falling". */
  sort?: string | undefined;
}

const SORT = /^(\d{1,2})\.(falling|rising)$/;

export function readSort(text: string | undefined): RowSort | undefined {
  const [, variant, way] = SORT.exec(text ?? "") ?? [];
  return variant === undefined
    ? undefined
    : { variant: Number(variant), isFalling: way === "falling" };
}

export function writeSort(sort: RowSort | undefined): string | undefined {
  return sort === undefined
    ? undefined
    : `${sort.variant}.${sort.isFalling ? "falling" : "rising"}`;
}

export interface PlaygroundPageProps {
  project: Project;
  view: PlaygroundView;
  onViewChanged: (view: PlaygroundView) => void;
  /** URL to share the view. */
  shareAddress: (view: PlaygroundView) => string;
}

export function filtersOf({ status, q, min, max, sort }: PlaygroundView): GridFilters {
  return { status, q, minScore: min, maxScore: max, sort: readSort(sort) };
}

export function countFilters({ status, q, min, max }: PlaygroundView): number {
  return [status, q, min ?? max].filter((value) => value !== undefined).length;
}

export function withoutFilters(view: PlaygroundView): PlaygroundView {
  return { ...view, status: undefined, q: undefined, min: undefined, max: undefined };
}

/** View for a shared link: the run and its display options. */
export function sharedView(view: PlaygroundView, runId: string): PlaygroundView {
  return { ...view, run: runId, prompt: undefined };
}
