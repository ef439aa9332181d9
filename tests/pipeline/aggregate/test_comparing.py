"""Which of two is better: the paired test, its correction, its power, and the verdict."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edison.pipeline.aggregate import holm
from edison.pipeline.aggregate.compare import compare
from edison.pipeline.aggregate.composite import collapse
from edison.pipeline.aggregate.paired import choose_tests
from edison.pipeline.aggregate.power import cases_needed, effect_size, minimum_detectable_effect
from edison.pipeline.aggregate.results import Estimate, LeftOut, PairedTest, Verdict
from edison.pipeline.aggregate.table import Floats, TableCase
from tests.pipeline.aggregate.tables import NAN, Row, table_of, table_of_scores, unhurried


def p_value(differences: list[float] | Floats) -> float:
    (test,) = choose_tests(np.array(differences, dtype=float)[:, None], [False])
    return NAN if test is None else test.p_value


def test_false_alarms_are_5_percent_with_several_judges_per_case() -> None:
    """1,000 comparisons of equals: 30 cases, 3 judges whose scores are correlated. Treating each
    judge's score as a separate case gives four times as many false alarms as promised.
    """
    random = np.random.default_rng(11)
    per_case = random.normal(0, 0.15, size=(30, 1, 1_000))
    judged = per_case + random.normal(0, 0.05, size=(30, 3, 1_000))
    assert 0.03 <= alarms(judged.mean(axis=1)) <= 0.07
    assert alarms(judged.reshape(90, 1_000)) > 0.2


def alarms(differences: Floats) -> float:
    tests = choose_tests(differences, [False] * differences.shape[1], resamples=1_999)
    return float(np.mean([test is not None and test.p_value <= 0.05 for test in tests]))


def test_tables_with_several_judges_are_compared_by_case() -> None:
    """The same, through the whole path of a run's rows."""
    random = np.random.default_rng(12)
    truth = np.clip(random.normal(0.6, 0.1, size=(12, 2)), 0, 1)
    noise = random.normal(0, 0.02, size=(12, 2, 3))
    judged = np.clip(truth[:, :, None] + noise, 0, 1)
    rows: list[Row] = [
        (case, "ab"[at], f"judge {judge}", "Accuracy", 0, float(judged[case, at, judge]))
        for case, at, judge in np.ndindex(judged.shape)
    ]
    table = table_of(rows, weights={"Accuracy": 1.0}, cases=12, variants="ab")
    (comparison,) = compare(table, table, variants=[("a", "b")])
    per_case = judged.mean(axis=2)
    assert comparison.difference.cases == 12
    assert comparison.p_value == pytest.approx(p_value(per_case[:, 1] - per_case[:, 0]))


def test_holm_of_a_published_example() -> None:
    """statsmodels 0.15: multipletests([.01, .04, .03, .005, .2], method="holm")."""
    adjusted = holm.adjust(np.array([0.01, 0.04, 0.03, 0.005, 0.2]))
    assert adjusted == pytest.approx([0.04, 0.09, 0.09, 0.025, 0.2])
    np.testing.assert_array_equal(holm.adjust(np.array([NAN, 0.03])), [NAN, 0.03])
    assert holm.adjust(np.array([])).size == 0


@unhurried
@given(p_values=st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_keeps_the_order_and_lies_between_nothing_and_bonferroni(
    p_values: list[float],
) -> None:
    raw = np.array(p_values)
    adjusted = holm.adjust(raw)
    assert (adjusted >= raw).all()
    assert (adjusted <= np.minimum(1, raw * len(raw)) + 1e-12).all()
    assert (np.diff(adjusted[np.argsort(raw, kind="stable")]) >= 0).all()


def test_sample_sizes_of_a_published_table() -> None:
    """Cohen 1988, as statsmodels 0.15 solves it: TTestPower().solve_power(d, alpha=.05, power=.8)
    gives 198.15, 33.37, 14.30; its detectable effects at 15, 50, 200 cases are 0.7780, 0.4042,
    0.1991."""
    assert [cases_needed(d, 1.0) for d in (0.2, 0.5, 0.8)] == [199, 34, 15]
    detectable = [minimum_detectable_effect(1.0, cases) or NAN for cases in (15, 50, 200)]
    assert detectable == pytest.approx([0.7780, 0.4042, 0.1991], rel=0.005)


def test_power_without_cases_or_variance() -> None:
    assert minimum_detectable_effect(0.1, 1) is None
    assert minimum_detectable_effect(0.0, 10) is None
    assert cases_needed(0.0, 0.1) is None
    assert cases_needed(1e-6, 1.0) is None
    assert cases_needed(5.0, 0.1) == 2
    assert effect_size(0.1, 0.0, 10) is None


def test_the_minimum_detectable_effect_is_seen_four_times_in_five() -> None:
    random = np.random.default_rng(13)
    effect = minimum_detectable_effect(0.2, 30) or NAN
    assert 0.76 <= alarms(random.normal(effect, 0.2, size=(30, 1_000))) <= 0.84


def test_verdicts_are_better_worse_and_no_evidence() -> None:
    random = np.random.default_rng(14)
    before = random.uniform(0.3, 0.5, size=(40, 3))
    after = before + np.array([0.1, -0.1, 0.0]) + random.normal(0, 0.05, size=(40, 3))
    better, worse, same = compare(table_of_scores(before), table_of_scores(after))
    assert (better.verdict, worse.verdict, same.verdict) == (
        Verdict.BETTER,
        Verdict.WORSE,
        Verdict.NO_EVIDENCE,
    )
    assert better.difference.interval is not None
    assert better.difference.interval.holds(0.1)
    assert better.difference.interval.low > 0
    assert better.improved + better.regressed + better.unchanged == 40
    assert same.minimum_detectable_effect == pytest.approx(0.0226, abs=0.004)
    assert better.adjusted_p_value == pytest.approx(3 * (better.p_value or NAN))


def test_two_runs_are_paired_by_the_keys_of_their_cases() -> None:
    before = table_of_scores(
        np.array([[0.1], [0.2], [0.3]]), cases=[TableCase(key=key) for key in "xyz"]
    )
    after = table_of_scores(
        np.array([[0.4], [0.9], [0.2]]),
        cases=[TableCase(key=key) for key in "zwy"],
        variants=["new prompt"],
    )
    (comparison,) = compare(before, after)
    assert (comparison.baseline, comparison.other) == ("v0", "new prompt")
    assert comparison.difference.cases == 2
    assert comparison.difference.value == pytest.approx((0.4 - 0.3 + 0.2 - 0.2) / 2)
    assert (comparison.baseline_mean, comparison.other_mean) == pytest.approx((0.25, 0.3))
    assert (comparison.improved, comparison.regressed, comparison.unchanged) == (1, 0, 1)


def test_runs_with_nothing_in_common_give_no_evidence() -> None:
    before = table_of_scores(np.array([[0.1]]), cases=[TableCase(key="x")])
    after = table_of_scores(np.array([[0.4]]), cases=[TableCase(key="y")])
    (comparison,) = compare(before, after)
    assert comparison.difference == Estimate(value=None, interval=None, cases=0)
    assert comparison.verdict is Verdict.NO_EVIDENCE
    assert comparison.p_value is None
    assert comparison.baseline_mean is None
    assert comparison.minimum_detectable_effect is None


def test_variants_that_have_no_counterpart_are_not_compared() -> None:
    before = table_of_scores(np.zeros((2, 2)), variants=["a", "b"])
    after = table_of_scores(np.ones((2, 2)), variants=["b", "c"])
    assert [each.baseline for each in compare(before, after)] == ["b"]


def test_a_failed_run_gives_no_verdict() -> None:
    works = table_of_scores(np.full((20, 1), 0.8))
    fails = table_of_scores(np.full((20, 1), NAN))
    (comparison,) = compare(works, fails)
    assert comparison.verdict is Verdict.CANNOT_TELL
    assert comparison.other_left_out == LeftOut(unreadable=20)
    assert (comparison.test, comparison.p_value, comparison.difference.interval) == (None,) * 3
    assert collapse(fails).unscored.sum() == 20


def test_a_difference_that_is_the_same_in_every_case_is_evidence() -> None:
    works, better = (table_of_scores(np.full((20, 1), score)) for score in (0.7, 0.8))
    (comparison,) = compare(works, better)
    assert (comparison.verdict, comparison.test) == (Verdict.BETTER, PairedTest.SIGN)
    assert comparison.p_value == pytest.approx(2 * 0.5**20)
    assert comparison.effect_size is None
    assert comparison.minimum_detectable_effect is None
