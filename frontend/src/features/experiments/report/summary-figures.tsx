import { useTranslation } from "react-i18next";
import type { ExperimentReport } from "@/api/types";
import { Kpi } from "@/components/results/kpi";
import { useEvidence, VerdictChip } from "@/components/results/verdict";
import { changeOutOfTen, outOfTen } from "@/components/score-scale";
import { Explained } from "@/components/ui/explained";
import { formatCost, formatDuration, formatTokens } from "@/lib/format";

export function SummaryFigures({ report }: { report: ExperimentReport }) {
  const { t } = useTranslation();
  const evidence = useEvidence();
  const { best, against_first: gain } = report;
  return (
    <section
      aria-label={t("experiments.report.summary")}
      className="grid grid-cols-2 gap-4 xl:grid-cols-4"
    >
      <h2 className="sr-only">{t("experiments.report.summary")}</h2>
      <Kpi
        label={t("experiments.best.title")}
        value={best === null ? "–" : best.version_label}
        note={
          best === null
            ? t("experiments.figures.noBest")
            : `${t("experiments.best.score", { score: outOfTen(best.score) })}. ${t(`experiments.best.basis.${best.basis}`, { number: best.iteration })}`
        }
      />
      <Kpi
        label={t("experiments.figures.gain")}
        value={gain?.difference.value == null ? "–" : changeOutOfTen(gain.difference.value)}
        {...(gain === null ? {} : { unit: t("experiments.figures.points") })}
        note={
          gain === null ? (
            t(
              best === null
                ? "experiments.noScore"
                : best.basis === "train"
                  ? "experiments.notTested"
                  : "experiments.firstIsBest",
            )
          ) : (
            <>
              <VerdictChip verdict={gain.verdict} />
              <span>
                <Explained text={evidence(gain)} />
              </span>
            </>
          )
        }
      />
      <Kpi
        label={t("experiments.report.cost")}
        value={formatCost(report.cost.total_usd)}
        note={t("experiments.figures.tokens", { tokens: formatTokens(report.tokens.total) })}
      />
      <Kpi
        label={t("experiments.columns.iterations")}
        value={report.iterations}
        note={
          <>
            <span>
              {t("experiments.report.working", { time: formatDuration(report.working_seconds) })}
            </span>
            <span>
              {t("experiments.report.elapsed", { time: formatDuration(report.elapsed_seconds) })}
            </span>
          </>
        }
      />
    </section>
  );
}
