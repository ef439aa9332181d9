import type { AnswersView } from "@/components/grid/answers-view";
import type { OutputsView } from "./outputs/outputs-view";

export const ITERATION_TABS = ["live", "results", "outputs"] as const;
export type IterationTab = (typeof ITERATION_TABS)[number];

/** Holdout cases are never used for refining. */
export const CASE_SETS = ["train", "holdout"] as const;
export type CaseSet = (typeof CASE_SETS)[number];

/** Search parameters of the iteration page. */
export interface IterationView extends AnswersView, OutputsView {
  /** By default, results once there are some. */
  tab?: IterationTab | undefined;
  /** Training cases by default. */
  cases?: CaseSet | undefined;
}
