import { ArrowDown, ArrowUp, CircleHelp, Hourglass, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { VariantComparison, Verdict } from "@/api/types";
import { changeOutOfTen, outOfTen } from "@/components/score-scale";
import { Badge } from "@/components/ui/badge";
import { Explained } from "@/components/ui/explained";
import { formatPValue } from "@/lib/format";

const LOOKS = {
  better: { tone: "success", Icon: ArrowUp },
  worse: { tone: "danger", Icon: ArrowDown },
  no_evidence: { tone: "neutral", Icon: CircleHelp },
  cannot_tell: { tone: "warning", Icon: TriangleAlert },
  so_far: { tone: "neutral", Icon: Hourglass },
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

function interimResult({ difference: { interval } }: VariantComparison) {
  if (interval === null) {
    return "early";
  }
  return interval.low > 0 || interval.high < 0 ? "holds" : "open";
}

/** Evidence behind a verdict or, without a verdict, how much more is needed. */
export function useEvidence(): (comparison: VariantComparison) => string {
  const { t } = useTranslation();
  const pValue = (value: number | null) => t("results.pValue", { p: formatPValue(value ?? 1) });
  return (comparison) => {
    const { verdict, test, adjusted_p_value, cases_needed, minimum_detectable_effect } = comparison;
    if (verdict === "cannot_tell") {
      return t("results.tooMuchMissing");
    }
    if (verdict === "so_far") {
      return t(`results.soFar.${interimResult(comparison)}`);
    }
    if (verdict !== "no_evidence") {
      const said = pValue(adjusted_p_value);
      return test ? t("results.withTest", { said, test: t(`results.test.${test}`) }) : said;
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

function Interval({ comparison }: { comparison: VariantComparison }) {
  const { t } = useTranslation();
  const { interval } = comparison.difference;
  return interval === null ? null : (
    <span className="text-xs text-ink-muted tabular-nums">
      {t("results.difference", {
        low: changeOutOfTen(interval.low),
        high: changeOutOfTen(interval.high),
      })}
    </span>
  );
}

function ExcludedCases({ comparison }: { comparison: VariantComparison }) {
  const { t } = useTranslation();
  const sides = [comparison.baseline_left_out, comparison.other_left_out];
  const failed = sides.reduce((sum, side) => sum + side.failed, 0);
  const unreadable = sides.reduce((sum, side) => sum + side.unreadable, 0);
  return failed + unreadable === 0 ? null : (
    <span className="text-xs text-ink-muted tabular-nums">
      {t("results.leftOut", { failed, unreadable })}
    </span>
  );
}

export function ComparisonCell({ comparison }: { comparison: VariantComparison }) {
  const { t } = useTranslation();
  const evidence = useEvidence();
  const { difference, improved, regressed, unchanged, caveat } = comparison;
  return (
    <div className="grid gap-1 max-lg:justify-items-end">
      <span className="flex flex-wrap items-center gap-2">
        <span className="tabular-nums">
          {difference.value === null ? "–" : changeOutOfTen(difference.value)}
        </span>
        <VerdictChip verdict={comparison.verdict} />
        <Interval comparison={comparison} />
      </span>
      <span className="text-xs text-ink-muted tabular-nums">
        <Explained text={evidence(comparison)} />
      </span>
      <span className="text-xs text-ink-muted tabular-nums">
        {t("results.variants.improved", { improved, regressed, unchanged })}
      </span>
      <ExcludedCases comparison={comparison} />
      {caveat ? <span className="max-w-72 text-xs text-ink-muted">{caveat}</span> : null}
    </div>
  );
}
