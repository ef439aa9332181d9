import type { ReactNode } from "react";
import { isWorking } from "@/api/runs";
import type { RunDetail, RunState, RunVariant } from "@/api/types";

/** Source of a column's answers: a variant and one of its repeats. */
export interface ColumnSource {
  key: string;
  /** Null while no variant of the run matches: the column is new or was edited. */
  variant: number | null;
  repeat: number;
}

/** A grid column with its header and summary. */
export interface ResultColumn extends ColumnSource {
  /** Accessible name, announced with each cell. */
  label: string;
  header: ReactNode;
  /** Set when rows are sorted by this column. */
  sorted?: "ascending" | "descending" | undefined;
  /** Content of the summary row. */
  summary?: ReactNode;
}

export const METRICS = ["score", "tokens", "cost", "time"] as const;
export type Metric = (typeof METRICS)[number];

/** Why a cell is missing. */
export type Missing = "queued" | "coming" | "waiting" | "never" | "idle";

/** Why cells are missing, by the state of the run. */
export function missingReason(state: RunState): Missing {
  if (state === "pending") {
    return "queued";
  }
  if (isWorking(state)) {
    return "coming";
  }
  return state === "paused" ? "waiting" : "never";
}

export type Wait = NonNullable<RunVariant["waiting"]>;

/** Why calls wait, by the position of the variant. */
export type Waits = Readonly<Record<number, Wait>>;

export function waitsOf({ state, variants }: Pick<RunDetail, "state" | "variants">): Waits {
  return isWorking(state)
    ? Object.fromEntries(
        variants.flatMap(({ position, waiting }) =>
          waiting === null ? [] : [[position, waiting]],
        ),
      )
    : NO_WAITS;
}

export const NO_WAITS: Waits = {};

/** Sizes in pixels. */
export interface GridShape {
  firstColumn: number;
  /** Null: columns share the available width. */
  column: number | null;
  row: number;
  header: number;
}

export const WIDE_SHAPE: GridShape = { firstColumn: 232, column: null, row: 136, header: 60 };

const NARROWEST = 264;

/** Column width; shared widths have a readable minimum. */
export function columnWidth(shape: GridShape, room: number, count: number): number {
  return (
    shape.column ?? Math.max(NARROWEST, Math.floor((room - shape.firstColumn) / Math.max(1, count)))
  );
}
