import { Braces, TriangleAlert } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Select } from "@/components/ui/select";
import { cn } from "@/lib/cn";
import { SYNTAXES, type Syntax } from "@/lib/template";
import type { Occurrence } from "./content";
import { SYNTAX_EXAMPLES } from "./syntax";

export interface VariableChipsProps {
  occurrences: ReadonlyMap<string, readonly Occurrence[]>;
  syntax: Syntax;
  editable: boolean;
  /** Names without a value. */
  missing?: ReadonlySet<string>;
  onSyntaxChanged: (syntax: Syntax) => void;
  onOccurrenceWanted: (occurrence: Occurrence) => void;
}

/** One chip per variable; each click selects its next use. */
export function VariableChips(props: VariableChipsProps) {
  const { occurrences, syntax, editable, missing, onSyntaxChanged, onOccurrenceWanted } = props;
  const { t } = useTranslation();
  const shown = useRef(new Map<string, number>());
  const showNext = (name: string, uses: readonly Occurrence[]) => {
    const next = ((shown.current.get(name) ?? -1) + 1) % uses.length;
    shown.current.set(name, next);
    const use = uses[next];
    if (use !== undefined) {
      onOccurrenceWanted(use);
    }
  };
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <div className="flex min-w-0 flex-1 basis-72 flex-wrap items-center gap-2">
        <span className="flex items-center gap-1.5 text-xs font-medium text-ink-muted">
          <Braces aria-hidden className="size-3.5" />
          {t("prompts.variables.title")}
        </span>
        {occurrences.size === 0 ? (
          <span className="text-xs text-ink-subtle">
            {t("prompts.variables.none", SYNTAX_EXAMPLES[syntax])}
          </span>
        ) : null}
        <ul aria-label={t("prompts.variables.title")} className="contents">
          {Array.from(occurrences, ([name, uses]) => (
            <li key={name} className="max-w-full min-w-0">
              <button
                type="button"
                title={
                  missing?.has(name)
                    ? t("prompts.variables.missing")
                    : t("prompts.variables.jump", { count: uses.length })
                }
                onClick={() => showNext(name, uses)}
                className={cn(
                  "flex h-6 max-w-full min-w-0 items-center gap-1.5 rounded-full pr-1 pl-2.5 font-mono text-xs hover:underline",
                  missing?.has(name)
                    ? "bg-warning-bg text-warning"
                    : "bg-accent-bg text-on-accent-bg",
                )}
              >
                {missing?.has(name) ? (
                  <>
                    <TriangleAlert aria-hidden className="-ml-0.5 size-3 shrink-0" />
                    <span className="sr-only">{t("prompts.variables.missing")}</span>
                  </>
                ) : null}
                <span className="truncate">{name}</span>{" "}
                <span className="sr-only">
                  {t("prompts.variables.jump", { count: uses.length })}
                </span>
                <span
                  aria-hidden
                  className="flex h-4 min-w-4 items-center justify-center rounded-full bg-raised px-1 font-sans text-[11px] text-ink-muted tabular-nums"
                >
                  {uses.length}
                </span>
              </button>
            </li>
          ))}
        </ul>
      </div>
      <label className="flex items-center gap-2 text-xs text-ink-muted">
        {t("prompts.variables.syntax")}
        <Select
          size="sm"
          aria-label={t("prompts.variables.syntax")}
          className="w-28 font-mono"
          disabled={!editable}
          value={syntax}
          options={SYNTAXES.map((value) => ({
            value,
            label: SYNTAX_EXAMPLES[value].label,
          }))}
          onValueChanged={onSyntaxChanged}
        />
      </label>
    </div>
  );
}
