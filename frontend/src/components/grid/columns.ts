import type { ReactNode } from "react";

/** A column of the grid: what one variant answered, in one of its repeats. */
export interface ResultColumn {
  key: string;
  variant: number;
  repeat: number;
  /** Read out with each cell. */
  label: string;
  header: ReactNode;
}

export const METRICS = ["score", "tokens", "cost", "time"] as const;
export type Metric = (typeof METRICS)[number];

/** What it means that a cell is not there yet. */
export type Missing = "coming" | "waiting" | "never";

export const FIRST_COLUMN_WIDTH = 232;
export const ROW_HEIGHT = 116;
const NARROWEST = 264;

/** Columns share what room there is, but never get too narrow to read. */
export function columnWidth(room: number, count: number): number {
  return Math.max(NARROWEST, Math.floor((room - FIRST_COLUMN_WIDTH) / Math.max(1, count)));
}
