"""Compares two variants on the cases that both have scores for."""

from collections.abc import Sequence
from dataclasses import replace

from edison.kit.lazy_dataclasses import dataclass
from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.binomial import caveat_of
from edison.pipeline.aggregate.composite import CaseScores, collapse
from edison.pipeline.aggregate.equivalence import equivalence_of
from edison.pipeline.aggregate.gaps import comparable, count_left_out, gaps_of, has_too_many_gaps
from edison.pipeline.aggregate.holm import adjust, thresholds
from edison.pipeline.aggregate.paired import (
    ROUNDING,
    ColumnTest,
    choose_tests,
    differences_of,
    is_pass_or_fail,
    resamples_for,
)
from edison.pipeline.aggregate.power import (
    ALPHA,
    cases_needed,
    effect_size,
    minimum_detectable_effect,
)
from edison.pipeline.aggregate.results import (
    Estimate,
    Interval,
    LeftOut,
    PairedTest,
    VariantComparison,
    Verdict,
)
from edison.pipeline.aggregate.sequence import FEWEST_CASES, radius
from edison.pipeline.aggregate.table import Floats, Ints, ScoreTable

# With fewer, the spread of differences is a guess.
_FEWEST_DIFFERING = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Composites of the same cases in the same order, NaN where there is none. The gaps (`Gap`
    values) say why there is none; without them no score counts as missing.
    """

    baseline: str
    other: str
    baseline_scores: Floats
    other_scores: Floats
    baseline_gaps: Ints | None = None
    other_gaps: Ints | None = None


def compare(
    baseline: ScoreTable,
    other: ScoreTable,
    *,
    variants: Sequence[tuple[str, str]] | None = None,
    alpha: float = ALPHA,
) -> tuple[VariantComparison, ...]:
    """Compares two runs, case by case. `variants` names pairs of variants, the baseline's first. By
    default, variants with the same key or, if both runs have only one, these two.
    """
    pairs = _same_variants(baseline, other) if variants is None else variants
    before, after = (_Comparable.of(collapse(each)) for each in (baseline, other))
    place = {case.key: at for at, case in enumerate(other.cases)}
    shared = [(at, place[case.key]) for at, case in enumerate(baseline.cases) if case.key in place]
    rows = np.array(shared, dtype=np.int64).reshape(-1, 2)
    names = [variant.key for variant in baseline.variants]
    other_names = [variant.key for variant in other.variants]
    return compare_pairs(
        [
            Pair(
                baseline=first,
                other=second,
                baseline_scores=before.scores[rows[:, 0], names.index(first)],
                other_scores=after.scores[rows[:, 1], other_names.index(second)],
                baseline_gaps=before.gaps[rows[:, 0], names.index(first)],
                other_gaps=after.gaps[rows[:, 1], other_names.index(second)],
            )
            for first, second in pairs
        ],
        alpha=alpha,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Comparable:
    scores: Floats
    gaps: Ints

    @staticmethod
    def of(scores: CaseScores) -> "_Comparable":
        gaps = gaps_of(scores)
        return _Comparable(scores=comparable(scores.composite, gaps), gaps=gaps)


def compare_pairs(
    pairs: Sequence[Pair], *, alpha: float = ALPHA, resamples: int | None = None
) -> tuple[VariantComparison, ...]:
    """All pairs have the same cases. P-values are corrected for the number of pairs. A pair with
    too many missing scores has no verdict and is not counted.
    """
    if not pairs:
        return ()
    counted = [_Counted.of(pair) for pair in pairs]
    told = [at for at, each in enumerate(counted) if not each.is_too_much]
    tests = choose_tests(
        np.column_stack([counted[at].differences for at in told]) if told else np.empty((0, 0)),
        [is_pass_or_fail(pairs[at].baseline_scores, pairs[at].other_scores) for at in told],
        resamples=resamples or resamples_for(alpha, comparisons=len(told)),
    )
    p_values = np.array([np.nan if each is None else each.p_value for each in tests])
    levels = thresholds(p_values, alpha)
    outcomes = {
        at: _Outcome(test=test, adjusted=float(adjusted), level=float(level))
        for at, test, adjusted, level in zip(told, tests, adjust(p_values), levels, strict=True)
        if test is not None
    }
    return tuple(_comparison(each, outcomes.get(at), alpha) for at, each in enumerate(counted))


def compare_so_far(
    pairs: Sequence[Pair], *, planned_cases: int, alpha: float = ALPHA
) -> tuple[VariantComparison, ...]:
    """Compares the variants of a run in progress, where repeated ordinary tests would give false
    positives. There is no verdict; the interval is a confidence sequence, which is valid at all
    looks and for all pairs together. Requires `FEWEST_CASES`.
    """
    return tuple(
        replace(
            _comparison(counted, None, alpha),
            difference=_sequence(counted, planned_cases, alpha / len(pairs)),
            verdict=Verdict.SO_FAR,
            test=PairedTest.CONFIDENCE_SEQUENCE,
        )
        for counted in map(_Counted.of, pairs)
    )


def _sequence(counted: "_Counted", planned_cases: int, alpha: float) -> Estimate:
    known, mean = counted.known, counted.mean
    if mean is None or len(known) < FEWEST_CASES:
        return Estimate(value=mean, interval=None, cases=len(known))
    # As in `sequence.look`: narrowest half way.
    half = counted.spread * radius(len(known), planned_cases=planned_cases // 2, alpha=alpha)
    interval = Interval(low=max(-1.0, mean - half), high=min(1.0, mean + half))
    return Estimate(value=mean, interval=interval, cases=len(known))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counted:
    """Counts that need no test. `known` are the differences without NaN."""

    pair: Pair
    differences: Floats
    known: Floats
    baseline_left_out: LeftOut
    other_left_out: LeftOut
    is_too_much: bool

    @staticmethod
    def of(pair: Pair) -> "_Counted":
        differences = differences_of(pair.baseline_scores, pair.other_scores)
        known = differences[~np.isnan(differences)]
        left_out = [count_left_out(gaps) for gaps in (pair.baseline_gaps, pair.other_gaps)]
        return _Counted(
            pair=pair,
            differences=differences,
            known=known,
            baseline_left_out=left_out[0],
            other_left_out=left_out[1],
            is_too_much=has_too_many_gaps(pair.baseline_gaps, pair.other_gaps, shared=len(known)),
        )

    @property
    def mean(self) -> float | None:
        return float(self.known.mean()) if self.known.size else None

    @property
    def spread(self) -> float:
        spread = float(self.known.std(ddof=1)) if self.known.size > 1 else 0.0
        # Equal differences can have a spread of a rounding error.
        return spread if spread > ROUNDING else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outcome:
    """`level` is the threshold for the uncorrected p-value, `adjusted` the corrected p-value."""

    test: ColumnTest
    adjusted: float
    level: float

    def interval(self, cases: int) -> Interval | None:
        return self.test.interval(self.level) if cases > 1 else None

    def verdict(self, mean: float, alpha: float) -> Verdict:
        if self.adjusted > alpha:
            return Verdict.NO_EVIDENCE
        return Verdict.BETTER if mean > 0 else Verdict.WORSE


def _comparison(counted: _Counted, outcome: _Outcome | None, alpha: float) -> VariantComparison:
    """Without an outcome there is no verdict: too many scores are missing, or no case is shared."""
    pair, known = counted.pair, counted.known
    is_shared = ~np.isnan(pair.baseline_scores + pair.other_scores)
    count, mean, spread = len(known), counted.mean or 0.0, counted.spread
    improved, regressed = int((known > 0).sum()), int((known < 0).sum())
    verdict = Verdict.CANNOT_TELL if counted.is_too_much else Verdict.NO_EVIDENCE
    if outcome is not None:
        verdict = outcome.verdict(mean, alpha)
    may_say_needed = improved + regressed >= _FEWEST_DIFFERING
    return VariantComparison(
        baseline=pair.baseline,
        other=pair.other,
        baseline_mean=_mean(pair.baseline_scores[is_shared]),
        other_mean=_mean(pair.other_scores[is_shared]),
        difference=Estimate(
            value=counted.mean,
            interval=None if outcome is None else outcome.interval(count),
            cases=count,
        ),
        verdict=verdict,
        test=None if outcome is None else outcome.test.test,
        caveat=caveat_of(verdict, known),
        p_value=None if outcome is None else outcome.test.p_value,
        adjusted_p_value=None if outcome is None else outcome.adjusted,
        effect_size=effect_size(mean, spread, count),
        minimum_detectable_effect=minimum_detectable_effect(spread, count, alpha=alpha),
        cases_needed=cases_needed(mean, spread, alpha=alpha) if may_say_needed else None,
        improved=improved,
        regressed=regressed,
        unchanged=count - improved - regressed,
        baseline_left_out=counted.baseline_left_out,
        other_left_out=counted.other_left_out,
        equivalence=None if outcome is None else equivalence_of(outcome.test, known),
    )


def _mean(scores: Floats) -> float | None:
    return float(scores.mean()) if scores.size else None


def _same_variants(baseline: ScoreTable, other: ScoreTable) -> list[tuple[str, str]]:
    known = {variant.key for variant in other.variants}
    same = [(variant.key, variant.key) for variant in baseline.variants if variant.key in known]
    if not same and len(baseline.variants) == len(other.variants) == 1:
        return [(baseline.variants[0].key, other.variants[0].key)]
    return same
