/** How an output is shown. */
export const TEXT_FORMS = ["plain", "markdown"] as const;
export type TextForm = (typeof TEXT_FORMS)[number];
