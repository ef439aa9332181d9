import type { BoardRow } from "@/api/arena";

export const BOARD_SORTS = ["score", "people", "judges", "value", "speed"] as const;
export type BoardSort = (typeof BOARD_SORTS)[number];

export const DIFFICULTIES = ["1", "2", "3", "4", "5"] as const;

/** Search parameters of the board. */
export interface BoardView {
  /** Ids of datasets, separated by commas. */
  sets?: string | undefined;
  scorers?: string | undefined;
  tag?: string | undefined;
  difficulty?: (typeof DIFFICULTIES)[number] | undefined;
  /** Days, such as 2026-03-05; both are included. */
  since?: string | undefined;
  until?: string | undefined;
  sort?: BoardSort | undefined;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MILLISECONDS = 86_400_000;

/** A day from the address; undefined when it is none. */
export function dayParam(value: unknown): string | undefined {
  return typeof value === "string" && DAY.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;
}

export function chosenSets({ sets }: BoardView): string[] {
  return sets === undefined ? [] : sets.split(",").filter((id) => id !== "");
}

/** Query parameters of the board; days are those of UTC. */
export function boardFilter(view: BoardView, datasetIds: readonly string[]) {
  const { scorers, tag, difficulty, since, until } = view;
  return {
    dataset_id: [...datasetIds],
    scorer_set: scorers,
    tag,
    difficulty: difficulty === undefined ? undefined : Number(difficulty),
    since: since === undefined ? undefined : `${since}T00:00:00Z`,
    until:
      until === undefined
        ? undefined
        : new Date(Date.parse(until) + DAY_MILLISECONDS).toISOString(),
  };
}

/** Score per dollar; free answers are the best value. */
function valueOf({ score, answer_usd: usd }: BoardRow): number | null {
  return score === null || usd === null ? null : score / Math.max(Number(usd), 1e-12);
}

const MEASURES: Record<BoardSort, (row: BoardRow) => number | null> = {
  score: ({ score }) => score,
  people: ({ people }) => people?.points ?? null,
  judges: ({ judges }) => judges?.points ?? null,
  value: valueOf,
  speed: ({ p50_seconds: seconds }) => (seconds === null ? null : -seconds),
};

/** The best first; models without the figure come last, in the server's order. */
export function sortRows(rows: readonly BoardRow[], sort: BoardSort): BoardRow[] {
  const measure = MEASURES[sort];
  return rows.toSorted((one, other) => {
    if (one.is_compared !== other.is_compared) {
      return one.is_compared ? -1 : 1;
    }
    const [first, second] = [measure(one), measure(other)];
    if (first === null || second === null) {
      return Number(first === null) - Number(second === null);
    }
    return second - first;
  });
}

/** "1", "2–4"; null without a rank. */
export function rankText({ rank_best: best, rank_worst: worst }: BoardRow): string | null {
  if (best === null || worst === null) {
    return null;
  }
  return best === worst ? String(best) : `${best}–${worst}`;
}
