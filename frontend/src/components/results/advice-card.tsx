import { useTranslation } from "react-i18next";
import type { ModelChoice } from "@/api/types";
import { formatDecimal } from "@/lib/format";
import { Kpi } from "./kpi";
import { adviceNames, cheaperBy, type AdvisedModel } from "./model-advice";

export interface AdviceCardProps {
  question: "mostAccurate" | "fastest" | "bestValue";
  advice: ModelChoice;
  models: readonly AdvisedModel[];
  /** What speed is compared by. */
  unit: "checks" | "cases";
}

/** One question about models: the answer with its evidence, or why the data cannot tell. */
export function AdviceCard({ question, advice, models, unit }: AdviceCardProps) {
  const { t } = useTranslation();
  const { name, leading, others } = adviceNames(advice, models);
  const { reason, cases, factor } = advice;
  const isSpeed = question === "fastest";
  const why =
    isSpeed && unit === "checks" && reason === "too_few_cases"
      ? t("modelAdvice.tooFewChecks")
      : isSpeed && reason === "separated" && factor !== null
        ? t(`modelAdvice.fasterBy.${unit}`, { factor: formatDecimal(factor, 1), count: cases })
        : t(`modelAdvice.reasons.${reason}`, {
            count: cases,
            leading,
            others,
            share: cheaperBy(advice, models),
          });
  return (
    <Kpi
      label={t(`modelAdvice.${question}`)}
      value={<span className="text-lg wrap-anywhere">{name ?? t("modelAdvice.cannotTell")}</span>}
      note={
        <>
          <span>{why}</span>
          {name === null && leading !== "" && reason === "not_separated" ? (
            <span>{t("modelAdvice.leading", { name: leading })}</span>
          ) : null}
        </>
      }
    />
  );
}
