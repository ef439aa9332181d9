"""Judges compared with human scores and each other: calibration, prediction-powered
estimates, bias.
"""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from edison.pipeline.aggregate.bias import score_biases
from edison.pipeline.aggregate.calibration import calibrations, human_estimates
from edison.pipeline.aggregate.prediction_powered import combine
from edison.pipeline.aggregate.results import BiasKind, Estimate
from edison.pipeline.aggregate.table import ScoreTable
from tests.pipeline.aggregate.tables import NAN, Row, table_of

PEOPLE = np.array([0.8, 0.6, 0.9, 0.4, 0.7, 1.0, 0.5, 0.6, 0.8, 0.3])
JUDGE = np.array([0.9, 0.7, 0.9, 0.6, 0.8, 0.9, 0.7, 0.6, 0.9, 0.5])
REST = np.array([7, 8, 9, 6, 5, 9, 8, 8, 7, 9, 10, 6, 7, 8, 9, 9, 6, 7, 8, 5]) / 10


def test_the_combined_estimate_is_that_of_its_authors_package() -> None:
    """ppi-python 0.2.3: ppi_mean_pointestimate(PEOPLE, JUDGE, REST) is 0.66455157, with an
    interval of 0.16851 for z and variances of the sample; ours has t, and a degree of freedom less
    for the tuning."""
    people = np.append(PEOPLE, np.full(20, NAN))
    estimate, tuning = combine(people, np.append(JUDGE, REST))
    assert estimate.value == pytest.approx(0.66455157, abs=1e-8)
    assert estimate.cases == 10
    assert estimate.interval is not None
    width = estimate.interval.high - estimate.interval.low
    widening = stats.t.ppf(0.975, 8) / stats.norm.ppf(0.975) * np.sqrt(10 / 8)
    assert width == pytest.approx(0.16851 * widening, rel=0.04)
    assert 0.9 < tuning < 0.92


def test_people_alone_when_there_is_nothing_to_combine() -> None:
    unlabelled = combine(np.full(5, NAN), np.full(5, 0.5))
    assert unlabelled == (Estimate(value=None, interval=None, cases=0), 0.0)
    one, _ = combine(np.array([0.4, NAN]), np.array([0.5, 0.6]))
    assert one == Estimate(value=0.4, interval=None, cases=1)
    everything, tuning = combine(PEOPLE, JUDGE)
    assert tuning == 0.0
    expected = stats.t.interval(0.95, 9, PEOPLE.mean(), stats.sem(PEOPLE))
    assert everything.interval is not None
    assert (everything.interval.low, everything.interval.high) == pytest.approx(expected)


def test_a_useless_judge_has_no_weight_and_a_good_one_halves_the_interval() -> None:
    random = np.random.default_rng(51)
    truth = random.uniform(0.2, 0.8, size=1_000)
    people = np.where(np.arange(1_000) < 60, truth, NAN)
    alone, _ = combine(people, np.full(1_000, 0.5))
    good, relied = combine(people, np.clip(truth + 0.1 + random.normal(0, 0.05, 1_000), 0, 1))
    useless, ignored = combine(people, random.uniform(size=1_000))
    widths = [
        each.interval.high - each.interval.low for each in (alone, good, useless) if each.interval
    ]
    assert relied > 0.8
    assert ignored < 0.3
    assert widths[1] < widths[0] / 2
    assert widths[2] < widths[0] * 1.05


@pytest.mark.parametrize("labelled", [20, 60])
def test_combined_intervals_cover_the_truth(labelled: int) -> None:
    """2,000 data sets with a lenient judge; the truth is 0.5."""
    random = np.random.default_rng(labelled)
    held = []
    for _ in range(2_000):
        truth = random.uniform(size=300)
        judge = np.clip(truth * 0.6 + 0.4 + random.normal(0, 0.1, size=300), 0, 1)
        people = np.where(np.arange(300) < labelled, truth, NAN)
        interval = combine(people, judge)[0].interval
        held.append(interval is not None and interval.holds(0.5))
    assert 0.93 <= np.mean(held) <= 0.97


def judged_table(*, cases: int = 60, with_people: bool) -> ScoreTable:
    """Two judges on three variants: "fond" prefers long answers and those of its own family."""
    random = np.random.default_rng(52)
    rows: list[Row] = []
    lengths = []
    for case, variant in itertools.product(range(cases), "abc"):
        truth = random.uniform(0.3, 0.6)
        length = float(random.integers(50, 800))
        fond = truth + 0.03 * np.log2(length / 200) + 0.1 * (variant == "a")
        said = {"fond": fond, "fair": truth}
        if with_people and case < 20:
            said["ann"] = truth
        for scorer, value in said.items():
            noisy = float(np.clip(value + random.normal(0, 0.02), 0, 1))
            rows.append((case, variant, scorer, None if scorer == "ann" else "Accuracy", 0, noisy))
            lengths.append(length)
    return table_of(
        rows,
        weights={"Accuracy": 1.0},
        cases=cases,
        variants="abc",
        people=("ann",),
        lengths=lengths,
        families={"a": "gpt", "b": "claude", "c": "llama", "fond": "gpt"},
    )


@pytest.mark.parametrize("with_people", [False, True])
def test_length_bias_and_self_preference_of_a_judge_are_detected(with_people: bool) -> None:
    found = {
        (bias.judge, bias.kind): bias
        for bias in score_biases(judged_table(with_people=with_people))
    }
    length = found["fond", BiasKind.LENGTH]
    own = found["fond", BiasKind.SELF_PREFERENCE]
    for bias, truth in ((length, 0.03), (own, 0.1)):
        assert bias.is_evident
        assert bias.is_controlled
        assert bias.effect.value == pytest.approx(truth, abs=0.012)
        assert bias.effect.interval is not None
        assert bias.effect.interval.holds(truth)
    assert length.effect.cases == (20 if with_people else 60)
    # Without a family there is no self-preference.
    assert ("fair", BiasKind.SELF_PREFERENCE) not in found
    # Human scores show which of two judges is biased; with one judge alone nothing can.
    assert found["fair", BiasKind.LENGTH].is_evident is not with_people


def test_a_judge_alone_is_not_controlled() -> None:
    rows: list[Row] = [
        (case, variant, "judge", "Accuracy", 0, 0.5 + 0.3 * (variant == "b"))
        for case, variant in itertools.product(range(5), "ab")
    ]
    table = table_of(
        rows, weights={"Accuracy": 1.0}, cases=5, variants="ab", lengths=[100.0, 200.0] * 5
    )
    (bias,) = score_biases(table)
    assert not bias.is_controlled
    assert bias.effect.value == pytest.approx(0.3)


def test_constant_scores_have_no_bias() -> None:
    rows: list[Row] = [(case, "a", "judge", "Accuracy", 0, 0.5) for case in range(5)]
    table = table_of(rows, weights={"Accuracy": 1.0}, cases=5, lengths=[100.0] * 5)
    assert score_biases(table) == ()
    assert score_biases(table_of(rows, weights={"Accuracy": 1.0}, cases=5)) == ()


def test_calibration_of_a_judge_that_is_lenient() -> None:
    rows: list[Row] = []
    for case, (person, judge) in enumerate(zip(PEOPLE, JUDGE, strict=True)):
        rows.append((case, "a", "ann", None, 0, float(person)))
        rows.append((case, "a", "judge", "Accuracy", 0, float(judge)))
    rows += [(10 + at, "a", "judge", "Accuracy", 0, float(said)) for at, said in enumerate(REST)]
    table = table_of(rows, weights={"Accuracy": 1.0}, cases=30, people=("ann",))
    (calibration,) = calibrations(table)
    assert calibration.judge == "judge"
    assert calibration.outputs == 10
    assert calibration.difference.value == pytest.approx((JUDGE - PEOPLE).mean())
    assert calibration.difference.interval is not None
    assert calibration.difference.interval.low > 0
    assert calibration.mean_absolute_error == pytest.approx(np.abs(JUDGE - PEOPLE).mean())
    assert calibration.correlation == pytest.approx(stats.pearsonr(JUDGE, PEOPLE).statistic)
    assert calibration.rank_correlation == pytest.approx(stats.spearmanr(JUDGE, PEOPLE).statistic)
    assert [each.outputs for each in calibration.bins] == [1, 4, 5]
    assert calibration.bins[2].human_mean == pytest.approx(0.84)

    (human,) = human_estimates(table)
    assert human.people_alone.value == pytest.approx(PEOPLE.mean())
    assert (human.composite.value, human.random_cases) == (None, 0)
    assert human.obstacle is not None
    assert human.obstacle.startswith("None of the cases that people scored were drawn at random")


@pytest.mark.parametrize(
    ("drawn", "obstacle"),
    [
        (20, None),
        (19, "Only 19 of the cases that people scored were drawn at random; it takes 20."),
    ],
)
def test_only_randomly_sampled_labels_enter_the_estimate(drawn: int, obstacle: str | None) -> None:
    """Thumbs on the ten worst answers lower the mean of human scores, and leave the
    estimate unchanged.
    """
    random = np.random.default_rng(52)
    truth = random.uniform(0.3, 0.9, size=100)
    rows: list[Row] = [
        (case, "a", "judge", "Accuracy", 0, float(truth[case])) for case in range(100)
    ]
    rows += [(case, "a", "ann", None, 0, float(truth[case])) for case in range(drawn)]
    rows += [(case, "a", "ann", None, 0, 0.0) for case in range(90, 100)]
    table = replace(
        table_of(rows, weights={"Accuracy": 1.0}, cases=100, people=("ann",)),
        is_random=np.array([False] * 100 + [True] * drawn + [False] * 10),
    )
    (human,) = human_estimates(table)
    assert (human.random_cases, human.obstacle) == (drawn, obstacle)
    assert human.people_alone.cases == drawn + 10
    if obstacle is None:
        labels = np.where(np.arange(100) < drawn, truth, NAN)
        assert human.composite == combine(labels, truth)[0]
        assert human.composite.value == pytest.approx(truth.mean(), abs=0.01)
    else:
        assert human.composite.value is None


def test_without_people_there_is_nothing_to_calibrate() -> None:
    table = judged_table(cases=3, with_people=False)
    assert calibrations(table) == ()
    assert human_estimates(table) == ()
