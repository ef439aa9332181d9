import { Check, Circle } from "lucide-react";
import { useTranslation } from "react-i18next";
import { cn } from "@/lib/cn";
import { missingRules, PASSWORD_RULES, passwordStrength } from "@/lib/password";

const LEVELS = ["weak", "fair", "good", "strong"] as const;
const FILLS = {
  weak: "bg-danger-solid",
  fair: "bg-warning",
  good: "bg-accent-solid",
  strong: "bg-success",
} as const;

/** Password strength and rules, updated while typing. */
export function PasswordStrength({ password }: { password: string }) {
  const { t } = useTranslation();
  const strength = passwordStrength(password);
  const level = password === "" ? 0 : LEVELS.indexOf(strength) + 1;
  const missing = missingRules(password);
  return (
    <div className="grid gap-2.5 rounded-lg bg-surface p-3">
      <div className="flex items-center gap-3">
        <div aria-hidden className="grid flex-1 grid-cols-4 gap-1">
          {LEVELS.map((name, index) => (
            <span
              key={name}
              className={cn(
                "h-1.5 rounded-full transition-colors duration-150",
                index < level ? FILLS[strength] : "bg-border-strong",
              )}
            />
          ))}
        </div>
        <span role="status" className="w-14 text-right text-xs font-medium text-ink-muted">
          {level === 0 ? "" : t(`password.strength.${strength}`)}
        </span>
      </div>
      <ul className="grid gap-x-4 gap-y-1 sm:grid-cols-2">
        {PASSWORD_RULES.map(({ code }) => {
          const met = !missing.includes(code);
          const Icon = met ? Check : Circle;
          return (
            <li
              key={code}
              className={cn(
                "flex items-center gap-1.5 text-xs",
                met ? "text-success" : "text-ink-muted",
              )}
            >
              <Icon aria-hidden className={cn("shrink-0", met ? "size-3.5" : "mx-0.5 size-2.5")} />
              {t(`password.rules.${code}`)}
              <span className="sr-only">{met ? t("password.met") : t("password.notMet")}</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
