import { createContext, use } from "react";

/** "0.82": two digits tell scores apart. */
export function formatScore(value: number): string {
  return value.toFixed(2);
}

/**
 * How the scores of a page are written. Runs show shares of one, experiments show marks out of ten:
 * a page never mixes the two.
 */
export const ScoreText = createContext<(value: number) => string>(formatScore);

export function useScoreText(): (value: number) => string {
  return use(ScoreText);
}
