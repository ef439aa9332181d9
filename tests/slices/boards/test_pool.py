"""Models are pooled by the content of cases."""

from uuid import UUID

import numpy as np
import pytest

from edison.insights.boards.pool import BoardPool, VariantCells
from edison.pipeline.aggregate.ratings import rate
from edison.pipeline.aggregate.table import PairTable, TableCase, TableScorer, TableVariant

A, B, C = (UUID(int=number) for number in (1, 2, 3))


def cells(scores: list[float], **changes: list[float]) -> VariantCells:
    count = len(scores)
    values = {"nanos": [1000.0] * count, "seconds": [1.0] * count, "passed": scores} | changes
    return VariantCells(
        scores=np.array(scores),
        gaps=np.zeros(count, dtype=np.int64),
        passed=np.array(values["passed"]),
        nanos=np.array(values["nanos"]),
        seconds=np.array(values["seconds"]),
        failed=np.isnan(np.array(scores)),
    )


def test_runs_are_joined_by_case_and_averaged() -> None:
    pool = BoardPool()
    pool.add(A, "v1", ["x", "y"], cells([1.0, 0.0]))
    pool.add(A, "v1", ["y", "z"], cells([1.0, 0.5]))
    pool.add(B, "v1", ["z", "x", "y"], cells([0.25, 0.5, 0.75]))
    found = pool.pool()

    assert set(found.compared) == {A, B}
    by_model = dict(zip(found.compared, found.table.scores.T.tolist(), strict=True))
    assert by_model == {A: [1.0, 0.5, 0.5], B: [0.5, 0.75, 0.25]}
    assert (found.figures[A].cases, found.figures[A].answers) == (3, 4)


def test_only_the_same_prompt_version_is_compared() -> None:
    pool = BoardPool()
    pool.add(A, "v1", ["x", "y", "z"], cells([1.0, 1.0, 1.0]))
    pool.add(B, "v2", ["x", "y", "z"], cells([0.0, 0.0, 0.0]))
    found = pool.pool()

    assert (list(found.compared), list(found.left_out)) == ([A], [B])
    assert found.figures[B].cases == 3


def test_a_model_with_too_few_shared_cases_is_left_out() -> None:
    pool = BoardPool()
    names = [str(number) for number in range(10)]
    pool.add(A, "v1", names, cells([0.5] * 10))
    pool.add(B, "v1", names[:8], cells([0.5] * 8))
    pool.add(C, "v1", names[:3], cells([0.5] * 3))
    found = pool.pool()

    assert (list(found.compared), list(found.left_out)) == ([A, B], [C])
    assert len(found.table.scores) == 8
    # Its figures are those on its own cases.
    assert (found.figures[C].cases, found.figures[A].cases) == (3, 8)


def test_cached_answers_say_nothing_about_the_price() -> None:
    pool = BoardPool()
    pool.add(A, "v1", ["x", "y"], cells([1.0, 1.0], nanos=[0.0, 500.0], seconds=[np.nan, 2.0]))
    pool.add(B, "v1", ["x", "y"], cells([1.0, 1.0], nanos=[np.nan, np.nan]))
    found = pool.pool().figures

    assert (found[A].nanos, found[A].p50_seconds, found[B].nanos) == (500.0, 2.0, None)


def test_cyclic_preferences_give_equal_ratings() -> None:
    pool = BoardPool()
    names = [str(number) for number in range(12)]
    for model_id in (A, B, C):
        pool.add(model_id, "v1", names, cells([0.5] * 12))
    wins = [(0, 1), (1, 2), (2, 0)]
    case, first, second, outcome = (
        np.array(column)
        for column in zip(
            *[
                (at, pair[order], pair[1 - order], 1 - 2 * order)
                for at in range(12)
                for pair in wins
                for order in (0, 1)
            ],
            strict=True,
        )
    )
    table = PairTable(
        cases=tuple(TableCase(key=name) for name in names),
        variants=tuple(TableVariant(key=str(at)) for at in range(3)),
        judges=(TableScorer(key="c0", is_judge=True),),
        case=case,
        judge=np.zeros_like(case),
        first=first,
        second=second,
        outcome=outcome,
    )
    pool.add_pairs(table, [A, B, C], np.ones(12, dtype=bool))
    pairs = pool.pool().pairs
    assert pairs is not None
    points = [each.points for each in rate(pairs).ratings]
    assert points == pytest.approx([1000.0] * 3)


def test_comparisons_of_removed_models_and_of_a_model_with_itself_are_left_out() -> None:
    pool = BoardPool()
    pool.add(A, "v1", ["x"], cells([0.5]))
    table = PairTable(
        cases=(TableCase(key="x"),),
        variants=tuple(TableVariant(key=str(at)) for at in range(3)),
        judges=(TableScorer(key="c0", is_judge=True),),
        case=np.array([0, 0]),
        judge=np.array([0, 0]),
        first=np.array([0, 1]),
        second=np.array([1, 2]),
        outcome=np.array([1, 1]),
    )
    pool.add_pairs(table, [A, A, None], np.ones(1, dtype=bool))
    assert pool.pool().pairs is None
