"""Ratings and ranks in simulated worlds, where the truth is known."""

from collections.abc import Iterator

import numpy as np

from benchmarks.figures import Figure
from edison.pipeline.aggregate.board import BoardTable, rank_models
from edison.pipeline.aggregate.ratings import AVERAGE, rate
from edison.pipeline.aggregate.table import PairTable, TableCase, TableScorer, TableVariant

WORLDS = 400
RANK_WORLDS = 400
MODELS = 4
CASES, VOTES_PER_CASE = 100, 3
RANKED_CASES = 32
_POINTS = 400 / np.log(10)
TIE = -0.5
# The first wins, the second wins, a tie.
_OUTCOMES = np.array([1, -1, 0], dtype=np.int64)
LEAST_COVERAGE, MOST_COVERAGE, MOST_FALSE = 0.93, 0.97, 0.05


def measure_ratings() -> Iterator[Figure]:
    for name, spread in (("equal models", 0.0), ("unequal models", 0.8)):
        covered = [_covers(np.random.default_rng((7, at)), spread) for at in range(WORLDS)]
        share = float(np.mean(covered))
        yield Figure(
            name=f"Coverage of 95 % intervals of ratings, {name}",
            value=f"{share:.1%}",
            ratio=f"{WORLDS} rounds of {CASES * VOTES_PER_CASE} votes",
            target="93 to 97 %",
            is_met=LEAST_COVERAGE <= share <= MOST_COVERAGE,
        )


def _covers(random: np.random.Generator, spread: float) -> float:
    """The share of models whose interval holds the true rating."""
    truth = random.normal(0, spread, MODELS)
    truth -= truth.mean()
    count = CASES * VOTES_PER_CASE
    case = np.repeat(np.arange(CASES), VOTES_PER_CASE)
    first = random.integers(0, MODELS, count)
    second = (first + random.integers(1, MODELS, count)) % MODELS
    x = (truth[first] - truth[second]) / 2
    weights = np.exp(np.column_stack([x, -x, np.full(count, TIE)]))
    ends = np.cumsum(weights / weights.sum(axis=1, keepdims=True), axis=1)
    drawn = (random.random(count)[:, None] > ends).sum(axis=1)
    found = rate(
        PairTable(
            cases=tuple(TableCase(key=str(at)) for at in range(CASES)),
            variants=tuple(TableVariant(key=str(at)) for at in range(MODELS)),
            judges=(TableScorer(key="people", is_human=True),),
            case=case.astype(np.int64),
            judge=np.zeros(count, dtype=np.int64),
            first=first.astype(np.int64),
            second=second.astype(np.int64),
            outcome=_OUTCOMES[drawn],
        )
    )
    points = AVERAGE + _POINTS * truth
    return float(
        np.mean(
            [
                each.interval is not None and each.interval.low <= true <= each.interval.high
                for each, true in zip(found.ratings, points, strict=True)
            ]
        )
    )


def measure_ranks() -> Iterator[Figure]:
    for name, is_graded in (("graded", True), ("pass or fail", False)):
        worlds = [np.random.default_rng((8, at)) for at in range(RANK_WORLDS)]
        lone = [_has_lone_first(random, is_graded) for random in worlds]
        share = float(np.mean(lone))
        yield Figure(
            name=f"{MODELS} equal models, {name}: a false unique rank 1",
            value=f"{share:.1%}",
            ratio=f"{RANK_WORLDS} boards of {RANKED_CASES} cases",
            target="<= 5 %",
            is_met=share <= MOST_FALSE,
        )


def _has_lone_first(random: np.random.Generator, is_graded: bool) -> bool:
    difficulty = random.beta(4, 2, RANKED_CASES)
    if is_graded:
        noise = random.normal(0, 0.15, (RANKED_CASES, MODELS))
        scores = np.clip(difficulty[:, None] + noise, 0, 1)
    else:
        scores = (random.random((RANKED_CASES, MODELS)) < difficulty[:, None]).astype(np.float64)
    result = rank_models(
        BoardTable(
            keys=[str(at) for at in range(MODELS)],
            scores=scores,
            gaps=np.zeros(scores.shape, dtype=np.int64),
            costs=np.full(MODELS, np.nan),
        )
    )
    return any(
        each.rank is not None and (each.rank.best, each.rank.worst) == (1, 1)
        for each in result.standings
    )
