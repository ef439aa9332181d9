/** Display formats of an output. */
export const TEXT_FORMS = ["plain", "markdown"] as const;
export type TextForm = (typeof TEXT_FORMS)[number];
