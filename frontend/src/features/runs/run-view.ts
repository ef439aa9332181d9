import type { AnswersView } from "@/components/grid/answers-view";

/** What the page of a run shows, as its address says. */
export interface RunView extends AnswersView {
  tab?: RunTab | undefined;
  /** Id of the run that results are compared with. */
  against?: string | undefined;
}

export const RUN_TABS = ["answers", "results"] as const;
export type RunTab = (typeof RUN_TABS)[number];
