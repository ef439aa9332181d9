export const GENERATE_KINDS = ["synthetic", "adversarial", "questions", "gaps"] as const;
export type GenerateKind = (typeof GENERATE_KINDS)[number];

/** What lies over a dataset; all of it can be linked to. */
export interface DatasetOverlay {
  /** Id of the case whose drawer is open. */
  case?: string | undefined;
  add?: true | undefined;
  import?: true | undefined;
  duplicates?: true | undefined;
  generate?: GenerateKind | undefined;
  /** What the dataset lacks, in words, to begin a generation with. */
  gap?: string | undefined;
  /** Id of the generation whose drafts are shown. */
  generation?: string | undefined;
}
