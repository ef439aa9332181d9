import type { Candidate } from "@/api/types";

/** Distance of rows in pixels. */
export const ROW = 52;

export interface Place {
  column: number;
  row: number;
}

/** A column for each generation; the first has the base, and the stated rubric under it. */
export function placeCandidates(candidates: readonly Candidate[]): Map<number, Place> {
  const taken = new Map<number, number>();
  return new Map(
    candidates.map(({ number, generation }) => {
      const row = taken.get(generation) ?? 0;
      taken.set(generation, row + 1);
      return [number, { column: generation, row }];
    }),
  );
}
