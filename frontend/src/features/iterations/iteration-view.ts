/** What the page of an iteration shows, as its address says. */
export interface IterationView {
  tab?: IterationTab | undefined;
  /** Whose answers are shown: of the cases learned from, unless it says otherwise. */
  cases?: "holdout" | undefined;
  /** Id of the output that is open. */
  output?: string | undefined;
}

export const ITERATION_TABS = ["live", "results", "outputs"] as const;
export type IterationTab = (typeof ITERATION_TABS)[number];

export const CASE_SETS = ["holdout"] as const;
