import type { ReactNode } from "react";
import { isWorking } from "@/api/runs";
import type { RunState } from "@/api/types";

/** Which answers stand in a column: those of one variant, in one of its repeats. */
export interface ColumnPlace {
  key: string;
  /** Null while no variant of the run answers here: the column is new, or not what it was. */
  variant: number | null;
  repeat: number;
}

/** A column of the grid, and what stands above and below its answers. */
export interface ResultColumn extends ColumnPlace {
  /** Read out with each cell. */
  label: string;
  header: ReactNode;
  /** Rows are in the order of what this column shows. */
  sorted?: "ascending" | "descending" | undefined;
  /** Stands in the summary row. */
  summary?: ReactNode;
}

export const METRICS = ["score", "tokens", "cost", "time"] as const;
export type Metric = (typeof METRICS)[number];

/** What it means that a cell is not there yet. */
export type Missing = "coming" | "waiting" | "never" | "idle";

/** What a missing cell means, by the state of the run. */
export function meaningOf(state: RunState): Missing {
  if (isWorking(state)) {
    return "coming";
  }
  return state === "paused" ? "waiting" : "never";
}

/** How much room things take, in pixels. */
export interface GridShape {
  firstColumn: number;
  /** Null: columns share what room there is. */
  column: number | null;
  row: number;
  header: number;
}

export const WIDE_SHAPE: GridShape = { firstColumn: 232, column: null, row: 136, header: 60 };

const NARROWEST = 264;

/** Columns that share the room never get too narrow to read. */
export function columnWidth(shape: GridShape, room: number, count: number): number {
  return (
    shape.column ?? Math.max(NARROWEST, Math.floor((room - shape.firstColumn) / Math.max(1, count)))
  );
}
