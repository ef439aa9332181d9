export const ADVICE = ["balanced", "costly"] as const;

/** Placeholder for a credential id: none chosen yet. */
export const CHOOSE = "choose";

/** Open overlay of the page; part of the address. */
export interface ModelOverlay {
  /** Id of the model in the open drawer. */
  model?: string | undefined;
  /** Id of the model to try. */
  try?: string | undefined;
  /** Id of the credential to import from, or CHOOSE. */
  import?: string | undefined;
  advice?: (typeof ADVICE)[number] | undefined;
}
