import { useTranslation } from "react-i18next";
import { Alert } from "@/components/ui/alert";
import type { VariableGaps } from "./inline-cases";

/** Checks the cases against the prompt's variables. */
export function VariableCheck({ missing, unused }: VariableGaps) {
  const { t } = useTranslation();
  if (missing.length === 0 && unused.length === 0) {
    return null;
  }
  return (
    <div className="grid gap-2">
      {missing.length === 0 ? null : (
        <Alert tone="warning" live={false} title={t("wizard.data.missingTitle")}>
          <ul className="grid gap-0.5">
            {missing.map(({ name, count }) => (
              <li key={name}>
                <code className="font-mono">{name}</code>: {t("wizard.data.missing", { count })}
              </li>
            ))}
          </ul>
        </Alert>
      )}
      {unused.length === 0 ? null : (
        <p className="text-xs text-ink-muted">
          {t("wizard.data.unused", { names: unused.join(", ") })}
        </p>
      )}
    </div>
  );
}
