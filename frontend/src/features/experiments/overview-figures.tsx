import { useTranslation } from "react-i18next";
import type { Experiment } from "@/api/types";
import { Kpi } from "@/components/results/kpi";
import { useEvidence, VerdictChip } from "@/components/results/verdict";
import { changeOutOfTen, outOfTen } from "@/components/score-scale";
import { Explained } from "@/components/ui/explained";
import { formatCost, formatNumber, formatTokens } from "@/lib/format";
import { BudgetUse } from "./budget-use";

function ScoreGain({ experiment }: { experiment: Experiment }) {
  const { t } = useTranslation();
  const evidence = useEvidence();
  const gain = experiment.against_first;
  if (gain?.difference.value == null) {
    return (
      <Kpi
        label={t("experiments.figures.gain")}
        value="–"
        note={
          experiment.best === null
            ? t("experiments.noScore")
            : t(
                experiment.best.basis === "train"
                  ? "experiments.notTested"
                  : "experiments.firstIsBest",
              )
        }
      />
    );
  }
  return (
    <Kpi
      label={t("experiments.figures.gain")}
      value={changeOutOfTen(gain.difference.value)}
      unit={t("experiments.figures.points")}
      note={
        <>
          <VerdictChip verdict={gain.verdict} />
          <span>
            <Explained text={evidence(gain)} />
          </span>
        </>
      }
    />
  );
}

/** Four key figures of the experiment. */
export function OverviewFigures({ experiment }: { experiment: Experiment }) {
  const { t } = useTranslation();
  const { best } = experiment;
  return (
    <section
      aria-label={t("experiments.figures.label")}
      className="grid grid-cols-2 gap-4 xl:grid-cols-4"
    >
      <h2 className="sr-only">{t("experiments.figures.label")}</h2>
      <Kpi
        label={t("experiments.figures.best")}
        value={best === null ? "–" : outOfTen(best.score)}
        {...(best === null ? {} : { unit: "/10" })}
        note={
          best === null
            ? t("experiments.figures.noBest")
            : t(`experiments.figures.basis.${best.basis}`, { version: best.version_label })
        }
      />
      <ScoreGain experiment={experiment} />
      <Kpi
        label={t("experiments.columns.iterations")}
        value={formatNumber(experiment.iteration_count)}
        unit={t("experiments.figures.ofMost", { most: experiment.max_iterations })}
        note={t("experiments.figures.tokens", { tokens: formatTokens(experiment.tokens) })}
      />
      <Kpi
        label={t("experiments.columns.cost")}
        value={formatCost(experiment.cost_usd)}
        note={<BudgetUse experiment={experiment} />}
      />
    </section>
  );
}
