import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { RunResults, VariantResults } from "@/api/types";
import { cn } from "@/lib/cn";
import { formatNumber } from "@/lib/format";

const KINDS = ["answered", "failed", "malformed", "cut_off", "unreadable"] as const;

function Counts({ variant }: { variant: VariantResults }) {
  const { t } = useTranslation();
  const counts = variant.outcome_counts;
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 text-sm">
      <span className="font-medium wrap-anywhere">{variant.label}</span>
      {KINDS.filter((kind) => kind !== "malformed" || counts.malformed > 0).map((kind) => (
        <span
          key={kind}
          className={cn(
            "text-ink-muted tabular-nums",
            kind !== "answered" && counts[kind] > 0 && "font-medium text-warning",
          )}
        >
          {t(`results.outcomes.${kind}`, {
            count: counts[kind],
            value: formatNumber(counts[kind]),
          })}
        </span>
      ))}
    </li>
  );
}

export interface OutcomeCountsProps {
  results: RunResults;
  /** Action for missing answers. */
  action?: ReactNode;
}

/** Outcomes of each variant's answers, shown before their scores. */
export function OutcomeCounts({ results, action }: OutcomeCountsProps) {
  const { t } = useTranslation();
  const isMissing = results.variants.some(
    ({ outcome_counts: { failed, unreadable } }) => failed + unreadable > 0,
  );
  return (
    <section
      aria-label={t("results.outcomes.label")}
      className="flex flex-wrap items-start justify-between gap-4"
    >
      <div className="grid gap-1">
        <ul className="grid gap-1">
          {results.variants.map((variant) => (
            <Counts key={variant.position} variant={variant} />
          ))}
        </ul>
        {isMissing ? (
          <p className="text-xs text-ink-muted">
            {results.failed_count_zero
              ? t("results.failedCountZero")
              : t("results.outcomes.missing")}
          </p>
        ) : null}
      </div>
      {action}
    </section>
  );
}
