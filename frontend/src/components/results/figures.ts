import type { VariantComparison, Verdict } from "@/api/types";

const OPPOSITE: Record<Verdict, Verdict> = {
  better: "worse",
  worse: "better",
  no_evidence: "no_evidence",
  cannot_tell: "cannot_tell",
  so_far: "so_far",
};

function swapSides(comparison: VariantComparison): VariantComparison {
  const { difference } = comparison;
  return {
    ...comparison,
    baseline: comparison.other,
    other: comparison.baseline,
    baseline_mean: comparison.other_mean,
    other_mean: comparison.baseline_mean,
    difference: {
      ...difference,
      value: difference.value === null ? null : -difference.value,
      interval:
        difference.interval === null
          ? null
          : { low: -difference.interval.high, high: -difference.interval.low },
    },
    verdict: OPPOSITE[comparison.verdict],
    effect_size: comparison.effect_size === null ? null : -comparison.effect_size,
    improved: comparison.regressed,
    regressed: comparison.improved,
    baseline_left_out: comparison.other_left_out,
    other_left_out: comparison.baseline_left_out,
  };
}

/** Comparison of two variants: each pair is stored once, in one direction. */
export function findComparison(
  comparisons: readonly VariantComparison[],
  baseline: number,
  other: number,
): VariantComparison | undefined {
  const same = comparisons.find((each) => each.baseline === baseline && each.other === other);
  if (same !== undefined) {
    return same;
  }
  const opposite = comparisons.find((each) => each.baseline === other && each.other === baseline);
  return opposite === undefined ? undefined : swapSides(opposite);
}

export type AgreementLevel = "high" | "fair" | "low" | "none";

/** Krippendorff's thresholds: reliable from 0.8, tentative from 0.667. */
export function agreementLevel(alpha: number | null): AgreementLevel {
  if (alpha === null) {
    return "none";
  }
  if (alpha >= 0.8) {
    return "high";
  }
  return alpha >= 0.667 ? "fair" : "low";
}
