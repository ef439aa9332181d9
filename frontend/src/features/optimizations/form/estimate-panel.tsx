import { useTranslation } from "react-i18next";
import type { OptimizationEstimate } from "@/api/types";
import { Alert } from "@/components/ui/alert";
import { formatCost, formatPercent, formatRange, formatUsd } from "@/lib/format";

/** Fewer generations than these leave the search little chance. */
const FEW_GENERATIONS = 3;

const PARTS = ["baseline", "generation", "gate", "total"] as const;

/** What the budget pays for, and whether the held-out cases can show a gain. */
export function EstimatePanel(props: { found: OptimizationEstimate; budget: string }) {
  const { found } = props;
  const { t } = useTranslation();
  const { affordable_generations: affordable, candidates_per_generation: candidates } = found;
  const budget =
    found.limited_by === null
      ? t("optimizations.estimate.ownBudget", { amount: formatUsd(props.budget) })
      : t("optimizations.estimate.otherBudget", { name: found.limited_by });
  const isShort = affordable < Math.min(FEW_GENERATIONS, found.generations);
  return (
    <>
      <p className="text-base font-medium text-pretty">
        {found.fits_budget
          ? t("optimizations.estimate.about", {
              generations: t("optimizations.estimate.generations", { count: affordable }),
              candidates: t("optimizations.estimate.candidates", { count: candidates }),
            })
          : t("optimizations.estimate.nothing")}
      </p>
      <dl className="grid gap-2 text-sm">
        {PARTS.map((part) => (
          <div key={part} className="flex flex-wrap justify-between gap-x-4 tabular-nums">
            <dt className="text-ink-muted">{t(`optimizations.estimate.${part}`)}</dt>
            <dd className="text-right">
              {formatRange(found[part].low_usd ?? null, found[part].high_usd ?? null, formatCost)}
            </dd>
          </div>
        ))}
      </dl>
      {found.fits_budget ? null : (
        <Alert tone="danger">{t("optimizations.estimate.tooSmall", { budget })}</Alert>
      )}
      {found.fits_budget && isShort ? (
        <Alert tone="warning">
          {t("optimizations.estimate.few", { count: affordable, budget })}
        </Alert>
      ) : null}
      <p className="text-xs text-pretty text-ink-muted">
        {t("optimizations.estimate.headroom", {
          holdout: found.holdout_cases,
          train: found.train_cases,
        })}{" "}
        {found.looks === 0
          ? t("optimizations.estimate.fresh")
          : t("optimizations.estimate.looks", {
              count: found.looks,
              alpha: formatPercent(found.alpha),
            })}
      </p>
    </>
  );
}
