import { useTranslation } from "react-i18next";
import type { Iteration, IterationMetrics, MeanEstimate, TrainingChange } from "@/api/types";
import { Kpi } from "@/components/results/kpi";
import { VerdictChip } from "@/components/results/verdict";
import { changeOutOfTen, outOfTen } from "@/components/score-scale";
import { Explained } from "@/components/ui/explained";
import { formatTokens, formatCost, formatPercent } from "@/lib/format";

function useIntervalText() {
  const { t } = useTranslation();
  return ({ interval }: MeanEstimate) =>
    interval === null
      ? t("results.noInterval")
      : t("results.interval", { low: outOfTen(interval.low), high: outOfTen(interval.high) });
}

function Composite({ metrics: { train, holdout } }: { metrics: IterationMetrics }) {
  const { t } = useTranslation();
  const intervalText = useIntervalText();
  return (
    <Kpi
      label={t("iterations.kpi.composite")}
      value={train.value === null ? "–" : outOfTen(train.value)}
      unit="/10"
      note={
        <>
          <span>
            <Explained text={intervalText(train)} />
          </span>
          {holdout?.value == null ? null : (
            <span className="text-ink tabular-nums">
              <Explained text={t("iterations.kpi.heldOut", { score: outOfTen(holdout.value) })} />
            </span>
          )}
        </>
      }
    />
  );
}

/** Relative change, such as "+6.5%". */
function relative({ difference, baseline_mean }: TrainingChange): string | null {
  if (difference.value === null || baseline_mean === null || baseline_mean === 0) {
    return null;
  }
  const share = difference.value / baseline_mean;
  return `${share < 0 ? "−" : "+"}${formatPercent(Math.abs(share))}`;
}

function Change({ iteration, metrics }: { iteration: Iteration; metrics: IterationMetrics }) {
  const { t } = useTranslation();
  const { change, against_first: heldOut } = metrics;
  if (change?.difference.value == null) {
    return (
      <Kpi
        label={t("iterations.kpi.change")}
        value="–"
        note={t(iteration.number === 1 ? "iterations.kpi.first" : "iterations.kpi.noChange")}
      />
    );
  }
  const percent = relative(change);
  return (
    <Kpi
      label={t("iterations.kpi.change")}
      value={changeOutOfTen(change.difference.value)}
      {...(percent === null ? {} : { unit: percent })}
      note={
        <>
          <span>
            <Explained text={t("iterations.kpi.training")} />
          </span>
          {heldOut?.difference.value == null ? null : (
            <span className="flex flex-wrap items-center gap-1.5">
              <span>
                <Explained
                  text={t("iterations.kpi.heldOutChange", {
                    change: changeOutOfTen(heldOut.difference.value),
                  })}
                />
              </span>
              <VerdictChip verdict={heldOut.verdict} />
            </span>
          )}
        </>
      }
    />
  );
}

function WinRate({ metrics: { variants } }: { metrics: IterationMetrics }) {
  const { t } = useTranslation();
  const [best] = variants
    .filter(({ win_rate }) => win_rate?.value != null)
    .sort((one, other) => (other.win_rate?.value ?? 0) - (one.win_rate?.value ?? 0));
  const rate = best?.win_rate;
  return (
    <Kpi
      label={t("results.kpi.wins")}
      value={rate?.value == null ? "–" : formatPercent(rate.value)}
      note={
        best === undefined || rate == null ? (
          t("iterations.kpi.noWins")
        ) : (
          <>
            <span className="text-ink">{best.label}</span>
            <span>{t("results.cases", { count: rate.cases })}</span>
          </>
        )
      }
    />
  );
}

interface KpisProps {
  iteration: Iteration;
  metrics: IterationMetrics;
}

function Cost({ iteration: { cost, tokens }, metrics: { variants } }: KpisProps) {
  const { t } = useTranslation();
  // Sums cover known prices only; without any, the cost of answers is unknown.
  const isPriced = variants.some(({ cost_per_answer_usd }) => cost_per_answer_usd !== null);
  const isKnown = isPriced || Number(cost.total_usd) > 0;
  return (
    <Kpi
      label={t("results.kpi.cost")}
      value={isKnown ? formatCost(cost.total_usd) : t("models.unknown")}
      note={
        <>
          <span className="tabular-nums">
            {t("iterations.kpi.costs", {
              answers: isPriced ? formatCost(cost.execution_usd) : t("models.unknown"),
              judges: formatCost(cost.judging_usd),
              refining: formatCost(cost.refining_usd),
            })}
          </span>
          <span className="tabular-nums">
            {t("iterations.kpi.tokens", { tokens: formatTokens(tokens) })}
          </span>
        </>
      }
    />
  );
}

/** Four key figures of an iteration. */
export function Kpis({ iteration, metrics }: KpisProps) {
  const { t } = useTranslation();
  return (
    <section aria-label={t("results.kpi.label")} className="grid grid-cols-2 gap-4 xl:grid-cols-4">
      <h2 className="sr-only">{t("results.kpi.label")}</h2>
      <Composite metrics={metrics} />
      <Change iteration={iteration} metrics={metrics} />
      <WinRate metrics={metrics} />
      <Cost iteration={iteration} metrics={metrics} />
    </section>
  );
}
