"""Verdicts of a comparison: missing cases, runs in progress, equivalence, and alpha
spending over looks.
"""

import math

import numpy as np
import pytest

from edison.pipeline.aggregate.alpha import (
    alpha_of_look,
    can_succeed,
    fewest_cases,
    smallest_p_value,
)
from edison.pipeline.aggregate.binomial import most_unseen, sign_test_p_value, upper_share
from edison.pipeline.aggregate.compare import Pair, compare_pairs, compare_so_far
from edison.pipeline.aggregate.equivalence import prove_equivalence
from edison.pipeline.aggregate.gaps import Gap
from edison.pipeline.aggregate.results import LeftOut, PairedTest, Verdict
from edison.pipeline.aggregate.sequence import radius
from edison.pipeline.aggregate.table import Floats, Ints
from tests.pipeline.aggregate.tables import NAN


def pair(before: Floats, after: Floats, gaps: tuple[Ints, Ints] | None = None) -> Pair:
    first, second = gaps or (np.zeros(len(before), dtype=np.int64),) * 2
    return Pair(
        baseline="a",
        other="b",
        baseline_scores=before,
        other_scores=after,
        baseline_gaps=first,
        other_gaps=second,
    )


def clearly_better(cases: int) -> tuple[Floats, Floats]:
    random = np.random.default_rng(cases)
    before = random.uniform(0.2, 0.6, cases)
    return before, before + random.uniform(0.05, 0.2, cases)


def test_a_better_verdict_states_the_share_of_undetected_regressions() -> None:
    (found,) = compare_pairs([pair(*clearly_better(20))])
    assert found.verdict is Verdict.BETTER
    assert found.caveat == (
        "Among 20 cases none got much worse with the better one; a break in up to 14 % of cases "
        "could have gone unseen."
    )
    before, after = clearly_better(60)
    after[:3] = before[:3] - 0.2 - 0.05
    before[:3] += 0.05
    (some,) = compare_pairs([pair(before, after)])
    assert some.caveat == (
        "Among 60 cases 3 got much worse with the better one; a break in up to 12 % of all cases "
        "would fit that."
    )
    (worse,) = compare_pairs([pair(*reversed(clearly_better(20)))])
    assert (worse.verdict, worse.caveat) == (Verdict.WORSE, found.caveat)


def test_exact_bounds_of_shares() -> None:
    """scipy.stats.beta.ppf(0.95, 4, 57) is 0.124; 0.5^6 x 2 is the sign test of six of six."""
    assert most_unseen(20) == pytest.approx(1 - 0.05 ** (1 / 20))
    assert upper_share(3, 60) == pytest.approx(0.1237, abs=1e-3)
    assert upper_share(5, 5) == 1.0
    assert sign_test_p_value(6, 0) == 2 / 64
    assert sign_test_p_value(3, 3) == 1.0
    assert sign_test_p_value(1200, 0) == 0.0


def test_missing_cases_are_counted_and_limited_to_5_percent() -> None:
    before, after = clearly_better(40)
    gaps = np.zeros(40, dtype=np.int64), np.zeros(40, dtype=np.int64)
    after[:2], gaps[1][:2] = NAN, [Gap.FAILED, Gap.UNREADABLE]
    (found,) = compare_pairs([pair(before, after, gaps)])
    assert found.verdict is Verdict.BETTER
    assert found.other_left_out == LeftOut(failed=1, unreadable=1)
    assert found.baseline_left_out == LeftOut()
    assert found.difference.cases == 38
    after[2], gaps[1][2] = NAN, Gap.FAILED
    (too_much,) = compare_pairs([pair(before, after, gaps)])
    assert too_much.verdict is Verdict.CANNOT_TELL
    assert (too_much.p_value, too_much.difference.interval, too_much.caveat) == (None,) * 3
    assert too_much.difference.value is not None


def test_cases_that_no_scorer_applies_to_are_not_missing() -> None:
    before, after = clearly_better(40)
    before[:20] = after[:20] = NAN
    (found,) = compare_pairs([pair(before, after)])
    assert (found.verdict, found.difference.cases) == (Verdict.BETTER, 20)


def test_comparisons_without_a_verdict_do_not_count_in_the_adjustment() -> None:
    before, after = clearly_better(30)
    gaps = np.full(30, Gap.FAILED), np.zeros(30, dtype=np.int64)
    lost = pair(np.full(30, NAN), after, gaps)
    found, cannot_tell = compare_pairs([pair(before, after), lost])
    assert found.adjusted_p_value == found.p_value
    assert cannot_tell.verdict is Verdict.CANNOT_TELL


def test_a_run_in_progress_has_a_confidence_sequence_and_no_verdict() -> None:
    before, after = clearly_better(100)
    few, _ = (
        compare_so_far([pair(before[:59], after[:59])] * 2, planned_cases=200) for _ in range(2)
    )
    assert [each.difference.interval for each in few] == [None, None]
    found = compare_so_far([pair(before, after)] * 2, planned_cases=200)[0]
    assert (found.verdict, found.test) == (Verdict.SO_FAR, PairedTest.CONFIDENCE_SEQUENCE)
    assert (found.p_value, found.adjusted_p_value, found.equivalence) == (None,) * 3
    differences = after - before
    half = differences.std(ddof=1) * radius(100, planned_cases=100, alpha=0.025)
    assert found.difference.interval is not None
    assert found.difference.interval.high == pytest.approx(differences.mean() + half)


def test_the_cases_needed_are_unknown_with_two_differences() -> None:
    before = np.full(30, 0.5)
    after = before.copy()
    after[:2] = (0.6, 0.8)
    (found,) = compare_pairs([pair(before, after)])
    assert found.cases_needed is None
    after[2] = 0.7
    (found,) = compare_pairs([pair(before, after)])
    assert found.cases_needed is not None


def test_as_good_takes_30_cases_within_the_margin() -> None:
    random = np.random.default_rng(7)
    before = random.uniform(0.4, 0.6, 30)
    after = before + random.normal(0, 0.03, 30)
    found = prove_equivalence(before, after)
    assert (found.other_is_as_good, found.baseline_is_as_good) == (True, True)
    assert found.interval is not None
    assert found.interval.low > -0.05
    assert "margin of 0.5" in found.reason
    few = prove_equivalence(before[:29], after[:29])
    assert not few.other_is_as_good
    assert few.reason == "29 shared cases are too few to call one as good: it takes 30."
    noisy = prove_equivalence(before, before + random.normal(0, 0.3, 30))
    assert not noisy.other_is_as_good


def test_equal_scores_are_as_good_from_60_cases_on() -> None:
    """1 - 0.05^(1/60) = 4.9 % of the cases may differ undetected, less than the margin."""
    graded = np.full(60, 0.7)
    assert prove_equivalence(graded, graded).other_is_as_good
    short = prove_equivalence(graded[:59], graded[:59])
    assert (short.other_is_as_good, short.interval) == (False, None)
    passed = np.ones(60)
    assert prove_equivalence(passed, passed).other_is_as_good


def test_a_significantly_worse_variant_is_never_as_good() -> None:
    random = np.random.default_rng(8)
    before = random.uniform(0.4, 0.6, 200)
    after = before - 0.02 + random.normal(0, 0.02, 200)
    found = prove_equivalence(before, after)
    assert found.interval is not None
    assert -0.05 < found.interval.low < found.interval.high < 0
    assert (found.other_is_as_good, found.baseline_is_as_good) == (False, True)


def test_all_looks_together_spend_5_percent() -> None:
    assert alpha_of_look(1) == pytest.approx(0.3 / math.pi**2)
    assert alpha_of_look(2) == pytest.approx(0.075 / math.pi**2)
    assert sum(alpha_of_look(number) for number in range(1, 20_000)) == pytest.approx(
        0.05, abs=1e-5
    )
    with pytest.raises(ValueError, match="counted from 1"):
        alpha_of_look(0)


def test_the_smallest_p_value_is_that_of_the_test_in_use() -> None:
    assert smallest_p_value(0) == 1.0
    assert smallest_p_value(6) == 2 / 64
    assert smallest_p_value(14) == 2 / 2**14
    assert smallest_p_value(15) == 2 / 4_001
    assert smallest_p_value(15, comparisons=2) == 4 / 4_001
    assert smallest_p_value(5, is_pass_or_fail=True) == 2 / 32
    z = math.sqrt(20)
    assert smallest_p_value(20, is_pass_or_fail=True) == pytest.approx(math.erfc(z / math.sqrt(2)))


def test_a_look_that_cannot_succeed_is_known_beforehand() -> None:
    """The first look spends 0.0304: 2 of 128 signs. The tenth spends 0.0003."""
    assert (can_succeed(6, look=1), can_succeed(7, look=1)) == (False, True)
    assert fewest_cases(look=1) == 7
    assert (can_succeed(12, look=10), can_succeed(13, look=10)) == (False, True)
    assert fewest_cases(look=10) == 13
    assert fewest_cases(look=10_000) is None
    assert fewest_cases(look=1, is_pass_or_fail=True) == 7
