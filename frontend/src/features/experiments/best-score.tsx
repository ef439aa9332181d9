import { useTranslation } from "react-i18next";
import type { ExperimentSummary } from "@/api/types";
import { VerdictChip } from "@/components/results/verdict";
import { changeOutOfTen, outOfTen } from "@/components/score-scale";

/** Score of the best version, and whether it improves on the first one. */
export function BestScore({
  experiment,
}: {
  experiment: Pick<ExperimentSummary, "best" | "against_first">;
}) {
  const { t } = useTranslation();
  const { best, against_first: gain } = experiment;
  if (best === null) {
    return <span className="text-ink-subtle">{t("experiments.noScore")}</span>;
  }
  return (
    <span className="grid justify-items-start gap-1 max-lg:justify-items-end">
      <span className="whitespace-nowrap">
        <span className="font-semibold tabular-nums">{outOfTen(best.score)}</span>
        <span className="text-xs text-ink-muted">
          {"/10 · "}
          {best.version_label}
        </span>
      </span>
      {gain?.difference.value == null || gain.verdict !== "better" ? (
        <span className="text-xs text-ink-muted lg:min-w-32">
          {t(best.basis === "train" ? "experiments.notTested" : "experiments.firstIsBest")}
        </span>
      ) : (
        <span className="flex items-center gap-1.5 text-xs text-ink-muted tabular-nums">
          {changeOutOfTen(gain.difference.value)}
          <VerdictChip verdict={gain.verdict} />
        </span>
      )}
    </span>
  );
}
