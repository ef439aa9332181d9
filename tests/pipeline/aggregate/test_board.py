"""Rank ranges and the decision of a board."""

import numpy as np
import pytest

from edison.pipeline.aggregate.board import BoardDecision, BoardTable, RankRange, rank_models
from edison.pipeline.aggregate.gaps import Gap
from edison.pipeline.aggregate.table import Floats


def table(scores: Floats, *, costs: list[float] | None = None, failed: int = 0) -> BoardTable:
    """`failed` cases of the last model have no score."""
    gaps = np.zeros(scores.shape, dtype=np.int64)
    if failed:
        scores = scores.copy()
        scores[:failed, -1], gaps[:failed, -1] = np.nan, Gap.FAILED
    keys = [f"m{at}" for at in range(scores.shape[1])]
    return BoardTable(
        keys=keys, scores=scores, gaps=gaps, costs=np.array(costs or [1.0] * len(keys))
    )


def draw(means: list[float], cases: int, seed: int = 1) -> Floats:
    luck = np.random.default_rng(seed)
    difficulty = luck.normal(0, 0.1, (cases, 1))
    return np.clip(np.array(means) + difficulty + luck.normal(0, 0.05, (cases, len(means))), 0, 1)


def test_a_separated_leader_has_rank_one() -> None:
    found = rank_models(table(draw([0.5, 0.8, 0.6], 60)))

    assert found.headline.decision is BoardDecision.SEPARATED
    assert (found.headline.leading, found.headline.tied) == ("m1", [])
    assert [(each.key, each.rank) for each in found.standings] == [
        ("m1", RankRange(best=1, worst=1)),
        ("m2", RankRange(best=2, worst=2)),
        ("m0", RankRange(best=3, worst=3)),
    ]
    comparison = found.headline.comparison
    assert comparison is not None
    assert (comparison.baseline, comparison.other) == ("m1", "m2")


def test_models_that_cannot_be_told_apart_share_a_range_and_the_cheaper_is_named() -> None:
    same = draw([0.7], 32)
    luck = np.random.default_rng(3).normal(0, 0.05, same.shape)
    found = rank_models(
        table(np.hstack([same, same + luck - luck.mean(), same - 0.4]), costs=[10, 1.6, 1])
    )

    assert found.headline.decision is BoardDecision.NOT_SEPARATED
    ranks = {each.key: each.rank for each in found.standings}
    assert ranks["m0"] == ranks["m1"] == RankRange(best=1, worst=2)
    assert ranks["m2"] == RankRange(best=3, worst=3)
    if found.headline.leading == "m0":
        assert found.headline.cheapest == "m1"
        assert found.headline.saving == pytest.approx(0.84)
    assert {each.key for each in found.standings if each.is_on_front} >= {"m2"}


def test_identical_models_have_no_rank_one() -> None:
    scores = np.repeat(draw([0.7], 40), 3, axis=1)
    found = rank_models(table(scores))

    assert found.headline.decision is BoardDecision.NOT_SEPARATED
    assert {each.rank for each in found.standings} == {RankRange(best=1, worst=3)}
    assert found.headline.cheapest is None


def test_equal_models_seldom_get_a_unique_rank_one() -> None:
    unique = 0
    for seed in range(100):
        found = rank_models(table(draw([0.6] * 4, 30, seed)))
        unique += found.headline.decision is BoardDecision.SEPARATED
    assert unique <= 5


@pytest.mark.parametrize(
    ("scores", "decision"),
    [
        (np.empty((0, 0)), BoardDecision.NO_RUNS),
        (np.full((6, 2), np.nan), BoardDecision.NO_SCORES),
        (draw([0.5], 8), BoardDecision.ONE_MODEL),
        (draw([0.2, 0.9], 4), BoardDecision.TOO_FEW_CASES),
        (np.empty((0, 2)), BoardDecision.NO_SCORES),
    ],
)
def test_without_evidence_nothing_is_decided(scores: Floats, decision: BoardDecision) -> None:
    found = rank_models(table(scores))

    assert found.headline.decision is decision
    assert found.headline.tied == ()
    assert len(found.standings) == scores.shape[1]


def test_a_model_whose_answers_all_failed_has_no_rank() -> None:
    found = rank_models(table(draw([0.5, 0.8, 0.9], 20), failed=20))

    last = found.standings[-1]
    assert (last.key, last.rank, last.score.value) == ("m2", None, None)
    assert found.headline.leading == "m1"
    assert found.standings[0].rank == RankRange(best=1, worst=1)


def test_a_model_with_many_failures_is_not_ranked_above_others() -> None:
    found = rank_models(table(draw([0.5, 0.9], 20), failed=10))

    assert found.headline.decision is BoardDecision.NOT_SEPARATED
    assert {each.rank for each in found.standings} == {RankRange(best=1, worst=2)}
