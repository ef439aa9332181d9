import type { AnswersView } from "@/components/grid/answers-view";
import type { OutputsView } from "./outputs/outputs-view";

export const ITERATION_TABS = ["live", "results", "outputs"] as const;
export type IterationTab = (typeof ITERATION_TABS)[number];

/** Cases that are held out are never learned from. */
export const CASE_SETS = ["train", "holdout"] as const;
export type CaseSet = (typeof CASE_SETS)[number];

/** What the page of an iteration shows, as its address says. */
export interface IterationView extends AnswersView, OutputsView {
  /** Unless it says otherwise: results once there are some. */
  tab?: IterationTab | undefined;
  /** Whose answers are shown: of the cases learned from, unless it says otherwise. */
  cases?: CaseSet | undefined;
}
