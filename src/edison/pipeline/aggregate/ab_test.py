"""The decision of an A/B test, valid at every look: after each answer, or whenever a person asks.

While the test runs, only the confidence sequence decides (`sequence.look`). A test that reaches its
planned number of pairs ends with one ordinary paired test at what is left of the false positive
rate. A test that ends before, out of money or stopped by a person, has only the sequence: when it
ended was not fixed in advance.
"""

from enum import StrEnum

from edison.kit.lazy_dataclasses import dataclass
from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.equivalence import equivalence_of
from edison.pipeline.aggregate.paired import choose_tests, differences_of, is_pass_or_fail
from edison.pipeline.aggregate.results import Equivalence, Interval, PairedTest
from edison.pipeline.aggregate.sequence import FINAL_ALPHA, Look, SequentialDecision, look
from edison.pipeline.aggregate.table import Floats

# The smallest difference that matters, on the 0..1 scale.
WORTHWHILE = 0.05


class AbStop(StrEnum):
    """Why an A/B test ended. Stored; never rename."""

    DECIDED = "decided"
    COMPLETE = "complete"
    FUTILE = "futile"
    OUT_OF_MONEY = "out_of_money"
    STOPPED = "stopped"


class AbRecommendation(StrEnum):
    """`either`: the difference is proven to be below the worthwhile one. Stored; never rename."""

    TAKE_SECOND = "take_second"
    KEEP_FIRST = "keep_first"
    EITHER = "either"
    CANNOT_TELL = "cannot_tell"


@dataclass(frozen=True, slots=True, kw_only=True)
class AbPlan:
    """Fixed before the first answer: looks with other numbers would not be valid."""

    pairs: int
    worthwhile: float = WORTHWHILE


@dataclass(frozen=True, slots=True, kw_only=True)
class AbResult:
    """`stop` is None while the test should go on; `recommendation` is what the evidence says so
    far. `difference` is the second's mean less the first's over `pairs` pairs; `interval` comes
    from `test`. `p_value` and `equivalence` exist only for a complete test.
    """

    stop: AbStop | None
    recommendation: AbRecommendation
    pairs: int
    first_mean: float | None
    second_mean: float | None
    difference: float | None
    interval: Interval | None
    test: PairedTest | None
    p_value: float | None = None
    equivalence: Equivalence | None = None


def pair_arrivals(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """Pairs recorded answers of different inputs in order of arrival: the n-th of one side with the
    n-th of the other. Missing scores (NaN) are skipped; the longer side waits for its partners.
    """
    known = [scores[~np.isnan(scores)] for scores in (first, second)]
    pairs = min(map(len, known))
    return known[0][:pairs], known[1][:pairs]


def decide(
    first: Floats,
    second: Floats,
    plan: AbPlan,
    *,
    has_money: bool = True,
    is_stopped: bool = False,
) -> AbResult:
    """Takes the scores of pairs in chronological order, NaN where there is none. Pairs beyond the
    plan are ignored. `has_money`: the next pair can be paid for.
    """
    is_shared = ~np.isnan(first + second)
    first, second = (scores[is_shared][: plan.pairs] for scores in (first, second))
    differences = differences_of(first, second)
    if len(differences) == plan.pairs:
        return _complete(first, second, differences, plan)
    seen = look(differences, planned_cases=plan.pairs, worthwhile=plan.worthwhile)
    stop = _find_stop(seen, has_money=has_money, is_stopped=is_stopped)
    return AbResult(
        stop=stop,
        recommendation=_recommend(seen, plan.worthwhile),
        pairs=seen.cases,
        first_mean=_mean(first),
        second_mean=_mean(second),
        difference=seen.difference,
        interval=seen.interval,
        test=None if seen.interval is None else PairedTest.CONFIDENCE_SEQUENCE,
    )


def _find_stop(seen: Look, *, has_money: bool, is_stopped: bool) -> AbStop | None:
    if seen.decision in (SequentialDecision.BETTER, SequentialDecision.WORSE):
        return AbStop.DECIDED
    if is_stopped:
        return AbStop.STOPPED
    if seen.decision is SequentialDecision.TOO_CLOSE:
        return AbStop.FUTILE
    return None if has_money else AbStop.OUT_OF_MONEY


def _recommend(seen: Look, worthwhile: float) -> AbRecommendation:
    if seen.decision is SequentialDecision.BETTER:
        return AbRecommendation.TAKE_SECOND
    if seen.decision is SequentialDecision.WORSE:
        return AbRecommendation.KEEP_FIRST
    # Futility alone proves nothing: the interval has to exclude every worthwhile difference.
    if seen.interval is not None and max(-seen.interval.low, seen.interval.high) < worthwhile:
        return AbRecommendation.EITHER
    return AbRecommendation.CANNOT_TELL


def _complete(first: Floats, second: Floats, differences: Floats, plan: AbPlan) -> AbResult:
    (test,) = choose_tests(differences[:, None], [is_pass_or_fail(first, second)])
    equivalence = equivalence_of(test, differences, margin=plan.worthwhile)
    mean = _mean(differences)
    recommendation = AbRecommendation.CANNOT_TELL
    if test is not None and mean is not None and test.p_value <= FINAL_ALPHA:
        is_better = mean > 0
        recommendation = AbRecommendation.TAKE_SECOND if is_better else AbRecommendation.KEEP_FIRST
    elif equivalence.other_is_as_good and equivalence.baseline_is_as_good:
        recommendation = AbRecommendation.EITHER
    return AbResult(
        stop=AbStop.COMPLETE,
        recommendation=recommendation,
        pairs=len(differences),
        first_mean=_mean(first),
        second_mean=_mean(second),
        difference=mean,
        interval=None if test is None else test.interval(FINAL_ALPHA),
        test=None if test is None else test.test,
        p_value=None if test is None else test.p_value,
        equivalence=equivalence,
    )


def _mean(scores: Floats) -> float | None:
    return float(scores.mean()) if scores.size else None
