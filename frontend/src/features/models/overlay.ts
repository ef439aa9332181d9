export const ADVICE = ["balanced", "costly"] as const;

/** In place of a credential's id: none has been chosen yet. */
export const CHOOSE = "choose";

/** What lies over the table; all of it can be linked to. */
export interface ModelOverlay {
  /** Id of the model whose drawer is open. */
  model?: string | undefined;
  /** Id of the model to try. */
  try?: string | undefined;
  /** Id of the credential to import from, or CHOOSE. */
  import?: string | undefined;
  advice?: (typeof ADVICE)[number] | undefined;
}
