import { ArrowRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { AssistRead } from "@/api/types";
import { Button } from "@/components/ui/button";
import { formatNumber, formatPercent, formatUsd } from "@/lib/format";
import type { Draft } from "../wizard-step";

type Limits = Draft["limits"];
type Option = NonNullable<AssistRead["limits"]>;

/** Suggestion as a change of the step; an unknown budget leaves the current one. */
export function limitsOf({ budget_usd, ...rules }: Option): Partial<Limits> {
  return budget_usd === null ? rules : { ...rules, budget_usd };
}

export interface SuggestedLimitsProps {
  found: AssistRead;
  part: Limits;
  onApplied: (change: Partial<Limits>) => void;
}

/** Suggested changes with reasons, before they are applied. */
export function SuggestedLimits({ found, part, onApplied }: SuggestedLimitsProps) {
  const { t } = useTranslation();
  const option = found.limits;
  if (option === null) {
    return null;
  }
  const change = limitsOf(option);
  const shown = <T,>(value: T | undefined, format: (value: T) => string) =>
    value === undefined ? "–" : format(value);
  const show: Record<keyof Option, (limits: Partial<Limits>) => string> = {
    max_iterations: (limits) => shown(limits.max_iterations, formatNumber),
    min_improvement: (limits) => shown(limits.min_improvement, formatPercent),
    convergence_window: (limits) => shown(limits.convergence_window, formatNumber),
    budget_usd: (limits) => shown(limits.budget_usd, formatUsd),
    alert_threshold: (limits) => shown(limits.alert_threshold, formatPercent),
    is_adaptive: (limits) =>
      t(limits.is_adaptive === true ? "wizard.limits.on" : "wizard.limits.off"),
  };
  const rows = (Object.keys(show) as (keyof Option)[])
    .filter((name) => name in change)
    .map((name) => ({ name, before: show[name](part), after: show[name](change) }));
  const isNew = rows.some(({ before, after }) => before !== after);
  return (
    <div className="grid gap-4">
      <dl className="grid gap-x-8 gap-y-2 text-sm sm:grid-cols-2">
        {rows.map(({ name, before, after }) => (
          <div key={name} className="flex flex-wrap justify-between gap-x-4 tabular-nums">
            <dt className="text-ink-muted">{t(`wizard.limits.suggested.${name}`)}</dt>
            <dd className="flex items-center gap-1.5">
              {before === after ? null : (
                <>
                  <s className="text-ink-subtle">{before}</s>
                  <ArrowRight aria-hidden className="size-3.5 text-ink-subtle" />
                </>
              )}
              <span className={before === after ? undefined : "font-semibold"}>{after}</span>
            </dd>
          </div>
        ))}
      </dl>
      <ul className="grid list-disc gap-1 pl-4 text-xs text-ink-muted">
        {found.reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      <Button
        size="sm"
        className="justify-self-start"
        disabled={!isNew}
        onClick={() => onApplied(change)}
      >
        {t(isNew ? "wizard.limits.apply" : "wizard.limits.asIs")}
      </Button>
    </div>
  );
}
