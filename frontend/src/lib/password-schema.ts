import { z } from "zod";
import { i18n } from "./i18n";
import { missingRules } from "./password";

/** A new password that meets all rules. */
export const newPasswordSchema = z.string().refine((text) => missingRules(text).length === 0, {
  error: () => i18n.t("validation.passwordRules"),
});
