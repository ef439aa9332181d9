import { CircleAlert, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { DraftFinding } from "@/api/types";
import type { Part } from "./content";

export interface DraftWarningsProps {
  warnings: readonly DraftFinding[];
  /** The visible part. */
  part: Part;
  onPartWanted: (part: Part) => void;
}

function partOf(field: string): Part | null {
  const part = field.split(".")[0];
  return part === "system" || part === "text" || part === "few_shots" || part === "tools"
    ? part
    : null;
}

/** Errors that would make a run fail, and likely mistakes. */
export function DraftWarnings({ warnings, part, onPartWanted }: DraftWarningsProps) {
  const { t } = useTranslation();
  if (warnings.length === 0) {
    return null;
  }
  return (
    <section aria-label={t("prompts.warnings.title")}>
      <ul className="grid gap-1.5">
        {warnings.map(({ field, message, code, prevents_runs }) => {
          const place = partOf(field);
          const Icon = prevents_runs ? CircleAlert : TriangleAlert;
          return (
            <li
              key={`${field}-${code}`}
              className={`flex items-start gap-2 text-xs ${prevents_runs ? "text-danger" : "text-warning"}`}
            >
              <Icon aria-hidden className="mt-0.5 size-3.5 shrink-0" />
              <span>
                {message} {prevents_runs ? t("prompts.warnings.prevents") : null}{" "}
                {place === null || place === part ? null : (
                  <button
                    type="button"
                    className="rounded-sm underline underline-offset-2"
                    onClick={() => onPartWanted(place)}
                  >
                    {t("prompts.warnings.show", { part: t(`prompts.parts.${place}`) })}
                  </button>
                )}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
