import type { AnswersView } from "@/components/grid/answers-view";

/** Search parameters of the run page. */
export interface RunView extends AnswersView {
  tab?: RunTab | undefined;
  /** Id of the run to compare results with. */
  against?: string | undefined;
  /** Position of the variant to compare; the first by default. */
  variant?: number | undefined;
  /** Opens the dialog to score the run again. */
  rescore?: true | undefined;
}

/** Tabs with statistics. */
export const RESULTS_PARTS = ["results", "details", "compare"] as const;
export type ResultsPart = (typeof RESULTS_PARTS)[number];

export const RUN_TABS = ["answers", ...RESULTS_PARTS] as const;
export type RunTab = (typeof RUN_TABS)[number];
