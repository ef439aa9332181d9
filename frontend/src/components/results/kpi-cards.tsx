import { useTranslation } from "react-i18next";
import type { RunResults, VariantResults } from "@/api/types";
import { changeOutOfTen, outOfTen } from "@/components/score-scale";
import { Explained } from "@/components/ui/explained";
import { formatCost, formatPercent } from "@/lib/format";
import { formatSpent } from "@/lib/spent";
import { findComparison } from "./figures";
import { Kpi } from "./kpi";
import { VerdictChip } from "./verdict";

/** The runner-up, which the best variant is compared with when it is the baseline itself. */
function runnerUp({ variants, best }: RunResults): VariantResults | undefined {
  return variants
    .filter((variant) => variant.position !== best && variant.composite.value !== null)
    .sort((one, other) => (other.composite.value ?? 0) - (one.composite.value ?? 0))[0];
}

/** Without a significant difference no variant is called best: the mean of all is shown. */
function NoBest({ results }: { results: RunResults }) {
  const { t } = useTranslation();
  const { value } = results.composite;
  const isNothing = results.variants.every((variant) => (variant.composite.value ?? 0) === 0);
  const note = isNothing ? "nothingScored" : "nothingSeparates";
  return (
    <Kpi
      label={t("results.kpi.none")}
      {...(value === null ? { value: "–" } : { value: outOfTen(value), unit: "/10" })}
      note={<Explained text={t(`results.kpi.${note}`)} />}
    />
  );
}

function BestScore({ results, baseline }: { results: RunResults; baseline: number }) {
  const { t } = useTranslation();
  const best = results.variants.find((variant) => variant.position === results.best);
  const reference = best?.position === baseline ? runnerUp(results) : results.variants[baseline];
  const comparison =
    best === undefined || reference === undefined
      ? undefined
      : findComparison(results.comparisons, reference.position, best.position);
  const value = best?.composite.value ?? null;
  const isAlone = results.variants.length === 1;
  if (best === undefined) {
    return <NoBest results={results} />;
  }
  return (
    <Kpi
      label={isAlone ? t("results.kpi.only") : t("results.kpi.best")}
      {...(value === null ? { value: "–" } : { value: outOfTen(value), unit: "/10" })}
      note={
        <>
          {isAlone ? null : <span className="text-ink">{best.label}</span>}
          {comparison === undefined || comparison.difference.value === null ? null : (
            <>
              <span className="tabular-nums">
                {t("results.kpi.against", {
                  change: changeOutOfTen(comparison.difference.value),
                  name: reference?.label ?? "",
                })}
              </span>
              <VerdictChip verdict={comparison.verdict} />
            </>
          )}
          {comparison === undefined ? (
            <span>{t("results.cases", { count: best.composite.cases })}</span>
          ) : null}
        </>
      }
    />
  );
}

function PassRate({ results }: { results: RunResults }) {
  const { t } = useTranslation();
  const [best] = results.variants
    .filter((variant) => variant.pass_rate.value !== null)
    .sort((one, other) => (other.pass_rate.value ?? 0) - (one.pass_rate.value ?? 0));
  if (best === undefined) {
    return <Kpi label={t("results.kpi.pass")} value="–" note={t("results.kpi.noPass")} />;
  }
  const { value, interval } = best.pass_rate;
  return (
    <Kpi
      label={t("results.kpi.pass")}
      value={formatPercent(value ?? 0)}
      note={
        <>
          <span className="text-ink">{best.label}</span>
          <span>
            <Explained
              text={
                interval === null
                  ? t("results.noInterval")
                  : t("results.interval", {
                      low: formatPercent(interval.low),
                      high: formatPercent(interval.high),
                    })
              }
            />
          </span>
        </>
      }
    />
  );
}

function WinRate({ results }: { results: RunResults }) {
  const { t } = useTranslation();
  if (results.wins === null) {
    return null;
  }
  const rates = results.wins.win_rates.map((rate) => rate.value ?? -1);
  const at = rates.indexOf(Math.max(...rates));
  const rate = results.wins.win_rates[at];
  const name = results.variants[at]?.label ?? "";
  return (
    <Kpi
      label={t("results.kpi.wins")}
      value={rate?.value === null || rate === undefined ? "–" : formatPercent(rate.value)}
      note={
        <>
          <span className="text-ink">{name}</span>
          <span>{t("results.cases", { count: rate?.cases ?? 0 })}</span>
        </>
      }
    />
  );
}

function Cost({ results }: { results: RunResults }) {
  const { t } = useTranslation();
  const sum = (amounts: readonly string[]) =>
    amounts.reduce((total, amount) => total + Number(amount), 0);
  const answers = sum(results.variants.map((variant) => variant.answer_cost_usd));
  const judges =
    sum(results.variants.map((variant) => variant.judge_cost_usd)) +
    Number(results.comparison_cost_usd);
  const unpriced = results.variants.reduce((count, variant) => count + variant.unpriced, 0);
  return (
    <Kpi
      label={t("results.kpi.cost")}
      value={formatSpent(String(answers + judges), unpriced)}
      note={t("results.kpi.costNote", {
        answers: formatSpent(String(answers), unpriced),
        judges: formatCost(String(judges)),
      })}
    />
  );
}

export function KpiCards({ results, baseline }: { results: RunResults; baseline: number }) {
  const { t } = useTranslation();
  return (
    <section
      aria-label={t("results.kpi.label")}
      className="grid grid-cols-2 gap-4 xl:auto-cols-fr xl:grid-flow-col xl:grid-cols-none"
    >
      <h2 className="sr-only">{t("results.kpi.label")}</h2>
      <BestScore results={results} baseline={baseline} />
      <PassRate results={results} />
      <WinRate results={results} />
      <Cost results={results} />
    </section>
  );
}
