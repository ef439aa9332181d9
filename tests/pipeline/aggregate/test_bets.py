"""Testing by betting: exact values, and false positives under repeated looks."""

import numpy as np
import pytest

from edison.pipeline.aggregate.bets import capital_against, p_value_below


def test_the_first_case_cannot_win_anything() -> None:
    assert capital_against(np.array([-1.0]))[0] == 1


def test_capital_is_the_product_of_predictable_bets() -> None:
    path = capital_against(np.array([-1.0, -1.0, 1.0]))
    # After -1: loss 1/2, variance (0.25 + 0.25) / 2 = 0.25, stake 0.5 / (0.25 + 0.25) = 1, at most
    # 0.75. After a second -1: loss 2/3, variance (0.5 + 1/9) / 3, stake above 0.75 again.
    assert path == pytest.approx([1, 1.75, 1.75 * 0.25])


def test_gains_are_not_bet_on() -> None:
    assert capital_against(np.array([0.5, 0.5, 0.5])).tolist() == [1, 1, 1]
    assert p_value_below(np.array([0.5, 0.5, 0.5])) == 1


def test_cases_without_a_score_change_nothing() -> None:
    known = capital_against(np.array([-0.5, -0.5]))
    with_gap = capital_against(np.array([-0.5, np.nan, -0.5]))
    assert with_gap.tolist() == [known[0], known[0], known[1]]


def test_no_cases_show_nothing() -> None:
    assert p_value_below(np.array([])) == 1


def test_a_clear_loss_is_shown_within_twenty_cases() -> None:
    assert p_value_below(np.full(20, -0.5)) < 0.005


@pytest.mark.parametrize(
    "values", [(-1.0, 1.0), (-0.5, 0.0, 0.5), (-1.0, 0.111111, 0.111111) * 3 + (0.000001,)]
)
def test_equals_are_rarely_told_apart_at_any_look(values: tuple[float, ...]) -> None:
    draw = np.random.default_rng(7)
    trials = 1000
    wrong = sum(
        p_value_below(draw.choice(values, 40) - float(np.mean(values))) <= 0.05
        for _ in range(trials)
    )
    # The bound is 5 % over all looks; five standard errors above it would be 8.4 %.
    assert wrong / trials < 0.06
