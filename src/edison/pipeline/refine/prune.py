"""Finds variants that are not worth running any further."""

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.aggregate.results import RunSummary, VariantComparison, Verdict

FIRST_ITERATION = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class WeakVariant:
    """`comparison` is the evidence; `best` is one of its two variants."""

    variant: str
    best: str
    comparison: VariantComparison
    message: str


def find_weak_variants(summary: RunSummary, *, iteration: int) -> tuple[WeakVariant, ...]:
    """Returns the variants that are significantly worse than the one with the highest composite, by
    a paired test corrected for all pairs of the run. A lower mean alone is not enough, and before
    the second iteration no variant is returned.
    """
    scored = [
        (variant.composite.value, variant.variant)
        for variant in summary.variants
        if variant.composite.value is not None
    ]
    if iteration < FIRST_ITERATION or not scored:
        return ()
    # Of equal ones the first.
    best = max(scored, key=lambda pair: pair[0])[1]
    return tuple(
        WeakVariant(
            variant=_other(comparison, best),
            best=best,
            comparison=comparison,
            message=_message(comparison),
        )
        for comparison in summary.comparisons
        if _says_worse_than(comparison, best)
    )


def _other(comparison: VariantComparison, best: str) -> str:
    return comparison.other if comparison.baseline == best else comparison.baseline


def _says_worse_than(comparison: VariantComparison, best: str) -> bool:
    if comparison.baseline == best:
        return comparison.verdict is Verdict.WORSE
    return comparison.other == best and comparison.verdict is Verdict.BETTER


def _message(comparison: VariantComparison) -> str:
    difference = abs(comparison.difference.value or 0)
    return (
        f"Scores {10 * difference:.2f} of 10 points less than the best variant on "
        f"{comparison.difference.cases} cases (p = {comparison.adjusted_p_value:.3f})."
    )
