import { FileText } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/ui/button";
import type { Syntax } from "@/lib/template";
import { GRADER_VARIABLES, writeVariable } from "./template";

export interface GraderHelpProps {
  syntax: Syntax;
  /** Variables of the text. */
  used: readonly string[];
  /** Offered while the text is empty; null when it cannot be edited. */
  onTemplateWanted: (() => void) | null;
}

/** The variables of graders, which do not come from a dataset's columns. */
export function GraderHelp({ syntax, used, onTemplateWanted }: GraderHelpProps) {
  const { t } = useTranslation();
  return (
    <section
      aria-labelledby="grader-help"
      className="grid gap-2 rounded-lg border border-border bg-surface p-3 text-sm"
    >
      <h2 id="grader-help" className="text-xs font-medium text-ink-muted">
        {t("playground.graderHelp.title")}
      </h2>
      <dl className="grid gap-1.5">
        {GRADER_VARIABLES.map((name) => (
          <div key={name} className="flex flex-wrap gap-x-2">
            <dt className="font-mono text-xs leading-5">{writeVariable(name, syntax)}</dt>
            <dd className="text-ink-muted">
              {t(`playground.graderHelp.${name}`)}
              {used.includes(name) ? null : ` (${t("playground.graderHelp.unused")})`}
            </dd>
          </div>
        ))}
      </dl>
      {onTemplateWanted === null ? null : (
        <Button
          variant="secondary"
          size="sm"
          className="justify-self-start"
          onClick={onTemplateWanted}
        >
          <FileText aria-hidden />
          {t("playground.graderHelp.template")}
        </Button>
      )}
    </section>
  );
}
