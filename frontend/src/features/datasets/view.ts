import type { CaseSelection } from "@/api/types";
import { definedOnly } from "@/lib/search";

export const ORIGINS = ["golden", "synthetic", "adversarial", "questions", "manual"] as const;
export type Origin = (typeof ORIGINS)[number];

export const SPLITS = ["train", "holdout"] as const;
export type Split = (typeof SPLITS)[number];

export const DIFFICULTIES = ["1", "2", "3", "4", "5"] as const;
export type Difficulty = (typeof DIFFICULTIES)[number];

export const CASE_SORTS = [
  "-position",
  "difficulty",
  "-difficulty",
  "updated_at",
  "-updated_at",
] as const;
export type CaseSort = (typeof CASE_SORTS)[number];

/** Filter and order of the case table, from the address. */
export interface CaseView {
  q?: string | undefined;
  tag?: string | undefined;
  split?: Split | undefined;
  difficulty?: Difficulty | undefined;
  origin?: Origin | undefined;
  expected?: "yes" | "no" | undefined;
  sort?: CaseSort | undefined;
}

/** API filter parameters, without unset ones. */
export function toFilter(view: CaseView) {
  return definedOnly({
    q: view.q,
    tag: view.tag,
    split: view.split,
    difficulty: view.difficulty === undefined ? undefined : Number(view.difficulty),
    origin: view.origin,
    has_expected: view.expected === undefined ? undefined : view.expected === "yes",
  });
}

export function toQuery(view: CaseView) {
  return { ...toFilter(view), ...definedOnly({ sort: view.sort }) };
}

export function isFiltered(view: CaseView): boolean {
  return Object.keys(toFilter(view)).length > 0;
}

/** Next sort of a column: ascending, descending, dataset order. */
export function nextSort(
  current: CaseSort | undefined,
  column: "position" | "difficulty",
): CaseSort | undefined {
  if (column === "position") {
    return current === "-position" ? undefined : "-position";
  }
  if (current === "difficulty") {
    return "-difficulty";
  }
  return current === "-difficulty" ? undefined : "difficulty";
}

/** The reverse order. */
export function reversed(sort: CaseSort | undefined): CaseSort | undefined {
  switch (sort) {
    case undefined:
      return "-position";
    case "-position":
      return undefined;
    case "difficulty":
      return "-difficulty";
    case "-difficulty":
      return "difficulty";
    case "updated_at":
      return "-updated_at";
    case "-updated_at":
      return "updated_at";
  }
}

/** Selected rows: some ids, or all rows that match the filter, loaded or not. */
export type Chosen = { kind: "some"; ids: ReadonlySet<string> } | { kind: "all" };

export const NOTHING: Chosen = { kind: "some", ids: new Set() };

export function isChosen(chosen: Chosen, id: string): boolean {
  return chosen.kind === "all" || chosen.ids.has(id);
}

export function countChosen(chosen: Chosen, total: number): number {
  return chosen.kind === "all" ? total : chosen.ids.size;
}

/**
 * Selects or deselects rows. Deselecting from "all" selects the loaded rows instead, because only
 * their ids are known.
 */
export function choose(
  chosen: Chosen,
  ids: readonly string[],
  wanted: boolean,
  loaded: readonly string[],
): Chosen {
  if (chosen.kind === "all" && wanted) {
    return chosen;
  }
  const next = new Set(chosen.kind === "all" ? loaded : chosen.ids);
  ids.forEach((id) => (wanted ? next.add(id) : next.delete(id)));
  return { kind: "some", ids: next };
}

/** API selection; the server refuses it when the count no longer matches. */
export function toSelection(chosen: Chosen, view: CaseView, total: number): CaseSelection {
  return chosen.kind === "all"
    ? { matching: toFilter(view), count: total }
    : { ids: [...chosen.ids] };
}
