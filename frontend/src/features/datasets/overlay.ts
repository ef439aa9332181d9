export const GENERATE_KINDS = ["synthetic", "adversarial", "questions", "gaps"] as const;
export type GenerateKind = (typeof GENERATE_KINDS)[number];

/** Open overlay of a dataset page; part of the address. */
export interface DatasetOverlay {
  /** Id of the case in the open drawer. */
  case?: string | undefined;
  add?: true | undefined;
  import?: true | undefined;
  duplicates?: true | undefined;
  generate?: GenerateKind | undefined;
  /** Description of a coverage gap, as the initial text of a generation. */
  gap?: string | undefined;
  /** Id of the generation whose drafts are shown. */
  generation?: string | undefined;
}
