"""From scores to one composite per case: weights, judges, repeats, human scores, missing values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edison.pipeline.aggregate.composite import collapse, pass_rates
from edison.pipeline.aggregate.gaps import Gap, gaps_of
from edison.pipeline.aggregate.table import Floats
from tests.pipeline.aggregate.tables import NAN, Row, table_of, unhurried

HALVES = {"Helpfulness": 0.5, "Accuracy": 0.5}


def composite_of(
    rows: list[Row], weights: dict[str, float], *, people: tuple[str, ...] = ()
) -> float:
    return float(collapse(table_of(rows, weights=weights, cases=1, people=people)).composite[0, 0])


def test_judges_are_averaged_and_criteria_weighted() -> None:
    """Seed 000 §13.1: (4 + 5) / 2 · 0.5 + (5 + 4) / 2 · 0.5 = 4.5 of 5."""
    rows: list[Row] = [
        (0, "a", "first", "Helpfulness", 0, 4 / 5),
        (0, "a", "first", "Accuracy", 0, 5 / 5),
        (0, "a", "second", "Helpfulness", 0, 5 / 5),
        (0, "a", "second", "Accuracy", 0, 4 / 5),
    ]
    assert composite_of(rows, HALVES) == pytest.approx(4.5 / 5)


def test_a_missing_criterion_is_left_out_and_counted() -> None:
    rows: list[Row] = [
        (0, "a", "judge", "Helpfulness", 0, 4 / 5),
        (0, "a", "judge", "Accuracy", 0, NAN),
    ]
    scores = collapse(table_of(rows, weights=HALVES, cases=1))
    assert scores.composite[0, 0] == pytest.approx(4 / 5)
    assert scores.missing.tolist() == [[0, 1]]
    np.testing.assert_array_equal(scores.criteria[0, 0], [0.8, NAN])
    assert scores.partial.tolist() == [[True]]
    assert gaps_of(scores).tolist() == [[Gap.UNREADABLE]]


def test_a_criterion_without_weight_may_be_missing() -> None:
    rows: list[Row] = [
        (0, "a", "judge", "Helpfulness", 0, 0.8),
        (0, "a", "judge", "Tone", 0, NAN),
    ]
    scores = collapse(table_of(rows, weights={"Helpfulness": 1.0, "Tone": 0.0}, cases=1))
    assert gaps_of(scores).tolist() == [[Gap.NONE]]


def test_an_overall_human_score_fills_missing_criteria() -> None:
    rows: list[Row] = [
        (0, "a", "judge", "Helpfulness", 0, NAN),
        (0, "a", "ann", None, 0, 0.75),
    ]
    scores = collapse(table_of(rows, weights=HALVES, cases=1, people=("ann",)))
    assert scores.composite[0, 0] == 0.75
    assert gaps_of(scores).tolist() == [[Gap.NONE]]


def test_a_scorer_without_weight_does_not_touch_the_pass_rate() -> None:
    rows: list[Row] = [
        (0, "a", "exact", "exact", 0, 1.0),
        (0, "a", "length", "length", 0, 0.0),
    ]
    weights = {"exact": 1.0, "length": 0.0}
    table = table_of(rows, weights=weights, cases=1, passed=[1.0, 0.0])
    assert pass_rates(table).tolist() == [[1.0]]
    weightless = table_of(rows[1:], weights={"length": 0.0}, cases=1, passed=[0.0])
    assert np.isnan(pass_rates(weightless)).all()


def test_a_missing_judge_is_left_out_of_the_mean() -> None:
    rows: list[Row] = [
        (0, "a", "first", "Helpfulness", 0, NAN),
        (0, "a", "second", "Helpfulness", 0, 0.6),
        (0, "a", "third", "Helpfulness", 0, 0.8),
    ]
    scores = collapse(table_of(rows, weights={"Helpfulness": 1.0}, cases=1))
    assert scores.composite[0, 0] == pytest.approx(0.7)
    assert scores.missing.tolist() == [[0]]


def test_criteria_without_rows_do_not_count() -> None:
    rows: list[Row] = [(0, "a", "judge", "Helpfulness", 0, 0.8)]
    assert composite_of(rows, HALVES) == pytest.approx(0.8)


def test_an_output_without_any_score_is_left_out_and_counted() -> None:
    rows: list[Row] = [
        (0, "a", "judge", "Helpfulness", 0, NAN),
        (0, "a", "judge", "Accuracy", 0, NAN),
        (1, "a", "judge", "Helpfulness", 0, 1.0),
        (1, "a", "judge", "Accuracy", 0, 1.0),
    ]
    scores = collapse(table_of(rows, weights=HALVES, cases=3))
    np.testing.assert_array_equal(scores.composite[:, 0], [NAN, 1.0, NAN])
    assert scores.unscored[:, 0].tolist() == [True, False, False]
    assert scores.missing.tolist() == [[0, 0]]


def test_a_weight_of_zero_is_shown_and_does_not_count() -> None:
    rows: list[Row] = [
        (0, "a", "judge", "Helpfulness", 0, 0.4),
        (0, "a", "limit", "Latency", 0, 1.0),
        (1, "a", "judge", "Helpfulness", 0, NAN),
        (1, "a", "limit", "Latency", 0, 0.5),
    ]
    scores = collapse(table_of(rows, weights={"Helpfulness": 1.0, "Latency": 0.0}, cases=2))
    np.testing.assert_array_equal(scores.composite[:, 0], [0.4, NAN])
    np.testing.assert_array_equal(scores.criteria[:, 0], [[0.4, 1.0], [NAN, 0.5]])


def test_without_any_weight_there_is_no_composite() -> None:
    assert np.isnan(composite_of([(0, "a", "limit", "Latency", 0, 1.0)], {"Latency": 0.0}))


def test_repeats_are_averaged_before_cases() -> None:
    rows: list[Row] = [
        (0, "a", "exact", "exact", 0, 1.0),
        (0, "a", "exact", "exact", 1, 0.0),
        (0, "a", "exact", "exact", 2, NAN),
        (1, "a", "exact", "exact", 0, 1.0),
    ]
    scores = collapse(table_of(rows, weights={"exact": 1.0}, cases=2))
    assert scores.composite[:, 0].tolist() == [0.5, 1.0]


def test_a_human_score_of_a_criterion_replaces_that_of_judges() -> None:
    rows: list[Row] = [
        (0, "a", "judge", "Helpfulness", 0, 0.2),
        (0, "a", "judge", "Accuracy", 0, 0.4),
        (0, "a", "ann", "Helpfulness", 0, 1.0),
        (0, "a", "bob", "Helpfulness", 0, 0.6),
    ]
    assert composite_of(rows, HALVES, people=("ann", "bob")) == pytest.approx(0.5 * 0.8 + 0.5 * 0.4)


def test_an_overall_human_score_replaces_the_composite() -> None:
    rows: list[Row] = [
        (0, "a", "judge", "Helpfulness", 0, 0.2),
        (0, "a", "ann", None, 0, 1.0),
        (0, "a", "judge", "Helpfulness", 1, 0.2),
    ]
    scores = collapse(table_of(rows, weights={"Helpfulness": 1.0}, cases=1, people=("ann",)))
    assert scores.composite[0, 0] == pytest.approx((1.0 + 0.2) / 2)
    assert scores.criteria[0, 0, 0] == pytest.approx(0.2)
    assert scores.is_human.tolist() == [[True]]


def test_no_cases_give_no_composites() -> None:
    scores = collapse(table_of([], weights=HALVES, cases=0))
    assert scores.composite.shape == (0, 1)
    assert scores.missing.tolist() == [[0, 0]]


def test_pass_rates_are_shares_of_verdicts_per_case() -> None:
    rows: list[Row] = [
        (0, "a", "exact", "exact", 0, 1.0),
        (0, "a", "regex", "regex", 0, 0.0),
        (1, "a", "exact", "exact", 0, 1.0),
        (2, "a", "exact", "exact", 0, 1.0),
    ]
    weights = {"exact": 1.0, "regex": 1.0}
    table = table_of(rows, weights=weights, cases=3, passed=[1.0, 0.0, 1.0, NAN])
    np.testing.assert_array_equal(pass_rates(table)[:, 0], [0.5, 1.0, NAN])


def test_a_table_refuses_invalid_rows() -> None:
    row: Row = (0, "a", "exact", "exact", 0, 0.5)
    with pytest.raises(ValueError, match=r"0\.\.1"):
        table_of([(*row[:5], 1.5)], weights={"exact": 1.0}, cases=1)
    with pytest.raises(ValueError, match="not in the table"):
        table_of([row], weights={"exact": 1.0}, cases=0)
    with pytest.raises(ValueError, match="same length"):
        table_of([row], weights={"exact": 1.0}, cases=1, passed=[])
    with pytest.raises(ValueError, match="not negative"):
        table_of([row], weights={"exact": -1.0}, cases=1)


@unhurried
@given(
    values=st.lists(
        st.lists(st.floats(0, 1) | st.just(NAN), min_size=6, max_size=6), min_size=1, max_size=8
    ),
    weights=st.tuples(st.floats(0, 10), st.floats(0, 10)),
)
def test_composites_equal_their_definition(
    values: list[list[float]], weights: tuple[float, float]
) -> None:
    """Against a direct implementation of the definition: 3 judges x 2 criteria, case by case."""
    cube = np.array(values).reshape(-1, 3, 2)
    rows: list[Row] = [
        (case, "a", f"judge {judge}", "xy"[criterion], 0, float(cube[case, judge, criterion]))
        for case, judge, criterion in np.ndindex(cube.shape)
    ]
    table = table_of(rows, weights=dict(zip("xy", weights, strict=True)), cases=len(cube))
    composite = collapse(table).composite[:, 0]
    np.testing.assert_allclose(composite, [_plain(case, weights) for case in cube], atol=1e-12)
    assert not (composite > 1 + 1e-9).any()


def _plain(case: Floats, weights: tuple[float, float]) -> float:
    total = said = 0.0
    has_score = False
    for criterion, weight in enumerate(weights):
        known = [value for value in case[:, criterion] if not np.isnan(value)]
        if not known:
            continue
        total += weight
        said += weight * sum(known) / len(known)
        has_score = has_score or weight > 0
    return said / total if has_score else NAN
