import { ArrowDown, ArrowUp, CircleHelp } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { VariantComparison, Verdict } from "@/api/types";
import { Badge } from "@/components/ui/badge";
import { changeOutOfTen, outOfTen } from "./figures";

const LOOKS = {
  better: { tone: "success", Icon: ArrowUp },
  worse: { tone: "danger", Icon: ArrowDown },
  no_evidence: { tone: "neutral", Icon: CircleHelp },
} as const;

export function VerdictChip({ verdict }: { verdict: Verdict }) {
  const { t } = useTranslation();
  const { tone, Icon } = LOOKS[verdict];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden />}>
      {t(`results.verdict.${verdict}`)}
    </Badge>
  );
}

/** What stands behind a verdict or, where there is none, what it would take. */
export function useEvidence(): (comparison: VariantComparison) => string {
  const { t } = useTranslation();
  return (comparison) => {
    const { verdict, adjusted_p_value, cases_needed, minimum_detectable_effect } = comparison;
    if (verdict !== "no_evidence") {
      return adjusted_p_value !== null && adjusted_p_value < 0.001
        ? t("results.pValueSmall")
        : t("results.pValue", { value: (adjusted_p_value ?? 1).toFixed(3) });
    }
    if (comparison.improved + comparison.regressed === 0) {
      return t("results.noDifference");
    }
    if (cases_needed !== null && cases_needed > comparison.difference.cases) {
      return t("results.needed", { count: cases_needed });
    }
    return minimum_detectable_effect === null
      ? t("results.noInterval")
      : t("results.detectable", { value: outOfTen(minimum_detectable_effect) });
  };
}

export function ComparisonCell({ comparison }: { comparison: VariantComparison }) {
  const { t } = useTranslation();
  const evidence = useEvidence();
  const { difference, improved, regressed, unchanged } = comparison;
  return (
    <div className="grid gap-1 max-lg:justify-items-end">
      <span className="flex flex-wrap items-center gap-2">
        <span className="tabular-nums">
          {difference.value === null ? "–" : changeOutOfTen(difference.value)}
        </span>
        <VerdictChip verdict={comparison.verdict} />
      </span>
      <span className="text-xs text-ink-muted tabular-nums">{evidence(comparison)}</span>
      <span className="text-xs text-ink-muted tabular-nums">
        {t("results.variants.improved", { improved, regressed, unchanged })}
      </span>
    </div>
  );
}
