import type { Candidate } from "@/api/types";

/** Distance of rows in pixels. */
export const ROW = 52;

export interface Place {
  column: number;
  row: number;
}

/**
 * The base has the first column to itself, the stated rubric the second; each generation has one
 * after that. Rows are in the order of the candidates.
 */
export function placeCandidates(candidates: readonly Candidate[]): Map<number, Place> {
  const taken = new Map<number, number>();
  return new Map(
    candidates.map(({ number, generation }) => {
      const column = number === 0 ? 0 : generation + 1;
      const row = taken.get(column) ?? 0;
      taken.set(column, row + 1);
      return [number, { column, row }];
    }),
  );
}
