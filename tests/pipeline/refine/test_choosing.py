"""The best version: chosen on the training cases, tested once on held-out cases."""

import numpy as np
import pytest

from edison.pipeline.aggregate.alpha import alpha_of_look, can_succeed
from edison.pipeline.aggregate.compare import Pair, compare_pairs
from edison.pipeline.aggregate.results import Estimate, VariantComparison, Verdict
from edison.pipeline.refine.choose import (
    Basis,
    BestVersion,
    GateState,
    HoldoutTest,
    Measured,
    choose_best,
    find_leader,
    is_worn_out,
    needs_test,
)

CASES = 9


def estimate(value: float | None, cases: int = CASES) -> Estimate:
    return Estimate(value=value, interval=None, cases=cases)


def comparison(differences: list[float], look: int) -> VariantComparison:
    before = np.full(len(differences), 0.4)
    pair = Pair(
        baseline="v1",
        other="v2",
        baseline_scores=before,
        other_scores=before + np.array(differences),
    )
    (found,) = compare_pairs([pair], alpha=alpha_of_look(look))
    return found


def a_test(differences: list[float], look: int = 1) -> HoldoutTest:
    return HoldoutTest(
        look=look,
        alpha=alpha_of_look(look),
        looks=look,
        cases=len(differences),
        comparison=comparison(differences, look),
    )


def measured(
    version: str,
    train: float | None,
    *,
    gain: float | None = None,
    holdout: float | None = 0.5,
    test: HoldoutTest | None = None,
) -> Measured:
    held = None if holdout is None else estimate(holdout)
    return Measured(version=version, train=estimate(train), gain=gain, holdout=held, test=test)


PASSED = a_test([0.1] * CASES)
FAILED = a_test([0.1, -0.1] * 4 + [0.1])


def test_a_version_that_passed_is_the_best() -> None:
    assert PASSED.has_passed
    versions = [measured("v1", 0.5), measured("v2", 0.6, gain=0.1, holdout=0.55, test=PASSED)]
    assert choose_best(versions) == BestVersion(
        version="v2",
        basis=Basis.HOLDOUT,
        score=0.55,
        leader="v2",
        leader_gain=0.1,
        state=GateState.PASSED,
        test=PASSED,
    )
    assert needs_test(versions) is None


def test_unless_it_passes_the_first_version_stays_the_best() -> None:
    # The highest held-out score of all does not count without a test that it passed.
    versions = [
        measured("v1", 0.5, holdout=0.5),
        measured("v2", 0.6, gain=0.1, holdout=0.9),
        measured("v3", 0.9, gain=0.4, holdout=0.6, test=FAILED),
    ]
    best = choose_best(versions)
    assert best is not None
    assert (best.version, best.score, best.state) == ("v1", 0.5, GateState.FAILED)
    assert (best.leader, best.leader_gain) == ("v3", 0.4)
    # It was tested once, which is all.
    assert needs_test(versions) is None


def test_an_earlier_version_that_passed_stays_the_best() -> None:
    versions = [
        measured("v1", 0.5),
        measured("v2", 0.6, gain=0.1, test=PASSED),
        measured("v3", 0.9, gain=0.4, test=FAILED),
    ]
    best = choose_best(versions)
    assert best is not None
    assert (best.version, best.leader, best.state) == ("v2", "v3", GateState.FAILED)


def test_only_the_leader_on_the_training_cases_is_tested() -> None:
    versions = [measured("v1", 0.5), measured("v2", 0.4, gain=-0.1), measured("v3", 0.6, gain=0.1)]
    leader = needs_test(versions)
    assert leader is not None
    assert leader.version == "v3"
    assert needs_test(versions[:2]) is None
    best = choose_best(versions[:2])
    assert best is not None
    assert (best.version, best.state) == ("v1", GateState.FIRST)
    # Paired differences count: a version may have been measured with fewer variants.
    assert find_leader([measured("v1", 0.5), measured("v2", 0.7, gain=-0.1)]) == (
        measured("v1", 0.5),
        0.0,
    )


def test_without_held_out_cases_the_training_cases_choose() -> None:
    best = choose_best([measured("v1", 0.5, holdout=None), measured("v2", 0.6, holdout=None)])
    assert best is not None
    assert (best.version, best.basis, best.state) == ("v2", Basis.TRAIN, GateState.NO_CASES)
    equal = choose_best([measured("v1", 0.5, holdout=None), measured("v2", 0.5, holdout=None)])
    assert equal is not None
    # Of equals the smallest change.
    assert equal.version == "v1"
    assert choose_best([measured("v1", None)]) is None
    assert choose_best([]) is None


def test_cases_wear_out_with_looks() -> None:
    worn = HoldoutTest(looks=2, cases=8)
    best = choose_best([measured("v1", 0.5), measured("v2", 0.6, gain=0.1, test=worn)])
    assert best is not None
    assert (best.version, best.state) == ("v1", GateState.WORN_OUT)
    assert [can_succeed(8, look=look) for look in (1, 2)] == [True, False]
    assert [is_worn_out(cases=8, looks=looks) for looks in (0, 1)] == [False, True]
    # Many cases wear out as well, by the alpha that is left.
    assert [is_worn_out(cases=500, looks=looks) for looks in (4, 5)] == [False, True]


def test_each_look_is_stricter_than_the_one_before() -> None:
    differences = [0.1] * 8
    assert comparison(differences, 1).verdict is Verdict.BETTER
    assert comparison(differences, 2).verdict is Verdict.NO_EVIDENCE
    assert sum(alpha_of_look(number) for number in range(1, 10_000)) == pytest.approx(
        0.05, abs=1e-4
    )
