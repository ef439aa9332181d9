import { z } from "zod";
import { i18n } from "@/lib/i18n";

export const NAME_LIMIT = 100;
export const DESCRIPTION_LIMIT = 1000;
const ALLOWED_NAME = /^[\p{L}\p{M}\p{N} _-]+$/u;

export const projectSchema = z.object({
  name: z
    .string()
    .trim()
    .min(1, { error: () => i18n.t("validation.nameRequired") })
    .max(NAME_LIMIT, { error: () => i18n.t("validation.nameTooLong", { limit: NAME_LIMIT }) })
    .refine((name) => name === "" || ALLOWED_NAME.test(name), {
      error: () => i18n.t("validation.nameCharacters"),
    }),
  description: z
    .string()
    .trim()
    .max(DESCRIPTION_LIMIT, {
      error: () => i18n.t("validation.descriptionTooLong", { limit: DESCRIPTION_LIMIT }),
    }),
});
export type ProjectValues = z.infer<typeof projectSchema>;
