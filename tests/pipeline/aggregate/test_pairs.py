"""Pairwise comparisons: ratings, the win matrix, and position bias."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import optimize

from edison.pipeline.aggregate.bias import position_biases
from edison.pipeline.aggregate.ratings import rate
from edison.pipeline.aggregate.results import Estimate, Interval, Ratings
from edison.pipeline.aggregate.summary import summarise_pairs
from edison.pipeline.aggregate.table import Floats, PairTable
from edison.pipeline.aggregate.wins import win_matrix
from tests.pipeline.aggregate.tables import pairs_of

POINTS = 400 / math.log(10)

# Agresti 2002, Categorical Data Analysis, table 10.10: home wins and losses in the 1987 season.
TEAMS = ["Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"]
AT_HOME = [
    "4-3 4-2 4-3 6-1 4-2 6-0",
    "3-3 4-2 4-3 6-0 6-1 4-3",
    "2-5 4-3 2-4 4-3 4-2 6-0",
    "3-3 5-1 2-5 4-3 4-2 6-1",
    "5-1 2-5 3-3 4-2 5-2 6-0",
    "2-5 3-3 3-4 4-3 4-2 2-4",
    "2-5 1-5 1-6 2-4 1-6 3-4",
]


def baseball() -> PairTable:
    games = []
    for home, results in zip(TEAMS, AT_HOME, strict=True):
        away = [team for team in TEAMS if team != home]
        for guest, result in zip(away, results.split(), strict=True):
            won, lost = map(int, result.split("-"))
            games += [(home, guest, 1)] * won + [(home, guest, -1)] * lost
    return pairs_of([(at, *game) for at, game in enumerate(games)], variants=TEAMS)


def simulated(
    random: np.random.Generator, strengths: list[float], *, first: float, tie: float, cases: int
) -> PairTable:
    """All pairs in both orders on each case, by the strength of each variant."""
    orders = np.array(list(itertools.permutations(range(len(strengths)), 2)))
    case = np.repeat(np.arange(cases), len(orders))
    first_seen, second_seen = np.tile(orders, (cases, 1)).T
    form = np.array(strengths) + random.normal(0, 0.7, size=(cases, len(strengths)))
    x = (form[case, first_seen] - form[case, second_seen] + first) / 2
    weights = np.exp([x, np.full_like(x, tie), -x])
    luck = random.random(len(x)) * weights.sum(axis=0)
    names = "abcd"[: len(strengths)]
    table = pairs_of([(cases - 1, "a", "b", 0)], variants=names)
    return replace(
        table,
        case=case,
        judge=np.zeros_like(case),
        first=first_seen,
        second=second_seen,
        outcome=1 - (luck[:, None] > weights.cumsum(axis=0).T[:, :2]).sum(axis=1),
    )


def log_strengths(ratings: Ratings) -> Floats:
    return np.array([(rating.points - 1000) / POINTS for rating in ratings.ratings])


def test_ratings_of_a_published_example() -> None:
    """As R's BradleyTerry2 fits it, against Baltimore: 1.6196, 1.4754, 1.3271, 1.2813, 1.1438,
    0.7047 and, for playing at home, 0.3023."""
    ratings = rate(baseball())
    strengths = log_strengths(ratings)
    published = [1.6196, 1.4754, 1.3271, 1.2813, 1.1438, 0.7047, 0.0]
    assert strengths - strengths[-1] == pytest.approx(published, abs=0.001)
    assert ratings.first_advantage / POINTS == pytest.approx(0.3023, abs=0.001)
    assert ratings.tie_share < 0.001
    assert sum(rating.points for rating in ratings.ratings) == pytest.approx(7 * 1000)
    assert {rating.comparisons for rating in ratings.ratings} == {78}


def test_ratings_with_ties_maximise_the_likelihood() -> None:
    """Against scipy's maximum of Davidson's likelihood, in its original form."""
    table = simulated(np.random.default_rng(41), [0.8, 0.0, -0.5], first=0.4, tie=0.2, cases=60)

    def surprise(parameters: Floats) -> float:
        worth = np.exp(np.append(parameters[:2], 0.0))
        home, tie = np.exp(parameters[2]), np.exp(parameters[3])
        one, other = home * worth[table.first], worth[table.second]
        tied = tie * np.sqrt(one * other)
        chosen = np.choose(table.outcome + 1, [other, tied, one])
        return float(-np.log(chosen / (one + other + tied)).sum())

    best = optimize.minimize(surprise, np.zeros(4), method="BFGS", options={"gtol": 1e-8}).x
    ratings = rate(table)
    strengths = log_strengths(ratings)
    assert strengths[:2] - strengths[2] == pytest.approx(best[:2], abs=0.001)
    assert ratings.first_advantage / POINTS == pytest.approx(best[2], abs=0.001)
    assert ratings.tie_share == pytest.approx(np.exp(best[3]) / (2 + np.exp(best[3])), abs=0.001)


def test_intervals_of_ratings_hold_though_comparisons_of_a_case_go_together() -> None:
    """200 sets of comparisons of equals with correlated outcomes per case."""
    random = np.random.default_rng(42)
    held = []
    for _ in range(200):
        rating = rate(simulated(random, [0.0, 0.0, 0.0], first=0.0, tie=0.0, cases=25)).ratings[0]
        assert rating.interval is not None
        held.append(rating.interval.holds(1000.0))
    assert 0.89 <= np.mean(held) <= 0.98


def test_a_variant_that_always_wins_is_rated_high_and_with_doubt() -> None:
    ratings = rate(pairs_of([(case, "a", "b", 1) for case in range(20)], variants="abc"))
    a, b, c = ratings.ratings
    assert a.points > 1200
    assert b.points < 800
    # It has no comparisons.
    assert c.points == pytest.approx(1000)
    for rating in (a, b, c):
        assert rating.interval is not None
        assert rating.interval.holds(1000.0)


def test_ratings_of_few_comparisons() -> None:
    assert [rating.points for rating in rate(pairs_of([], variants="ab")).ratings] == [1000, 1000]
    one_case = rate(pairs_of([(0, "a", "b", 1)], variants="ab"))
    assert [rating.interval for rating in one_case.ratings] == [None, None]
    assert rate(pairs_of([], variants="")).ratings == ()


def test_a_summary_of_comparisons_has_all_three() -> None:
    table = simulated(np.random.default_rng(44), [1.5, 0.0], first=0.0, tie=0.0, cases=30)
    summary = summarise_pairs(table)
    assert summary.wins == win_matrix(table)
    assert summary.ratings == rate(table)
    assert summary.position_biases == position_biases(table)


def test_only_ties_give_equal_ratings() -> None:
    ratings = rate(pairs_of([(case, "a", "b", 0) for case in range(30)], variants="ab"))
    assert [rating.points for rating in ratings.ratings] == pytest.approx([1000, 1000])
    assert ratings.tie_share > 0.95


def test_both_orders_of_a_comparison_count_once() -> None:
    matrix = win_matrix(
        pairs_of(
            [
                (0, "a", "b", 1),
                (0, "b", "a", -1),
                (1, "a", "b", 1),
                (1, "b", "a", 1),
                (2, "b", "a", 1),
                (2, "a", "b", 0),
                (3, "c", "a", 1),
            ],
            variants="abc",
        )
    )
    assert matrix.wins == ((0, 1, 0), (1, 0, 0), (1, 0, 0))
    assert matrix.ties == ((0, 1, 0), (1, 0, 0), (0, 0, 0))
    assert [rate.value for rate in matrix.win_rates] == [0.375, 0.5, 1.0]
    assert matrix.win_rates[2] == Estimate(value=1.0, interval=None, cases=1)
    # Case 1 chose whichever came first, case 2 was a tie in one order only: two answers each.
    # Case 3 was seen in one order only.
    assert matrix.consistency == pytest.approx(1 / 3)


def test_a_win_matrix_of_nothing() -> None:
    matrix = win_matrix(pairs_of([], variants="ab"))
    assert matrix.wins == ((0, 0), (0, 0))
    assert matrix.win_rates[0] == Estimate(value=None, interval=None, cases=0)
    assert matrix.consistency is None


def test_position_bias_of_a_judge_is_detected() -> None:
    random = np.random.default_rng(43)
    leaning = simulated(random, [1.0, 0.0], first=1.5, tie=0.0, cases=60)
    (bias,) = position_biases(leaning)
    assert bias.is_evident
    assert bias.effect.value is not None
    assert bias.effect.value > 0.2
    assert rate(leaning).first_advantage_interval is not None
    (fair,) = position_biases(simulated(random, [1.0, 0.0], first=0.0, tie=0.0, cases=60))
    assert not fair.is_evident


def test_a_single_order_gives_no_position_bias() -> None:
    assert position_biases(pairs_of([(0, "a", "b", 1), (1, "a", "b", 1)], variants="ab")) == ()


def test_a_pair_table_refuses_invalid_rows() -> None:
    with pytest.raises(ValueError, match="with itself"):
        pairs_of([(0, "a", "a", 1)], variants="ab")
    with pytest.raises(ValueError, match="1, 0 or -1"):
        pairs_of([(0, "a", "b", 2)], variants="ab")


def test_intervals_include_their_ends() -> None:
    assert Interval(low=0.0, high=1.0).holds(1.0)
    assert not Interval(low=0.0, high=1.0).holds(1.1)
