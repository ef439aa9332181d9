export const PASSWORD_RULES = [
  { code: "too_short", passes: (text: string) => text.length >= 12 && text.length <= 128 },
  { code: "no_upper", passes: (text: string) => /\p{Lu}/u.test(text) },
  { code: "no_lower", passes: (text: string) => /\p{Ll}/u.test(text) },
  { code: "no_digit", passes: (text: string) => /[0-9]/.test(text) },
  { code: "no_special", passes: (text: string) => /[!@#$%^&*]/.test(text) },
] as const;

export type PasswordRule = (typeof PASSWORD_RULES)[number]["code"];
export type PasswordStrength = "weak" | "fair" | "good" | "strong";

export function missingRules(password: string): PasswordRule[] {
  return PASSWORD_RULES.filter((rule) => !rule.passes(password)).map((rule) => rule.code);
}

/** Good: all rules are met; strong: more length and variety. */
export function passwordStrength(password: string): PasswordStrength {
  const missing = missingRules(password).length;
  if (missing >= 3 || password.length < 8) {
    return "weak";
  }
  if (missing > 0) {
    return "fair";
  }
  return password.length >= 16 && new Set(password).size >= 10 ? "strong" : "good";
}
