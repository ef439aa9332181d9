"""Pure parts: the sample, the pairs, the looks, the transitions."""

import math
from uuid import UUID

import numpy as np
import pytest

from edison.loops.abtests.configure import batch_size, draw_cases
from edison.loops.abtests.evidence import (
    PairedScores,
    has_come_to_nothing,
    list_looks,
    scores_of_answers,
)
from edison.loops.abtests.models import AbBatch
from edison.loops.abtests.score import weigh
from edison.loops.abtests.states import NEXT, OVER, AbTestState
from edison.pipeline.aggregate.ab_test import AbPlan, AbStop
from edison.pipeline.aggregate.sequence import FEWEST_CASES
from edison.pipeline.score.scorer import Flag, Scored

CASES = [UUID(int=number) for number in range(100)]


def test_a_sample_uses_each_case_once_whatever_the_batches() -> None:
    whole = draw_cases(CASES, seed=7, used=(), count=100)
    assert sorted(whole) == CASES
    taken: list[UUID] = []
    while batch := draw_cases(CASES, seed=7, used=taken, count=13):
        taken += batch
    assert taken == whole
    assert draw_cases(CASES, seed=8, used=(), count=100) != whole


def test_deleted_cases_do_not_change_the_order_of_the_others() -> None:
    whole = draw_cases(CASES, seed=7, used=(), count=100)
    left = draw_cases(CASES[:50], seed=7, used=(), count=100)
    assert left == [each for each in whole if each in CASES[:50]]


def batch(cases: int, *, scored: int | None = 0) -> AbBatch:
    """None: it was cancelled."""
    column = {"scores": [1.0] * (scored or 0) + [None] * (cases - (scored or 0))}
    measures = None if scored is None else {"first": column, "second": column}
    return AbBatch(case_ids=[str(number) for number in range(cases)], measures=measures)


def test_a_test_comes_to_nothing_when_a_batch_of_cases_in_a_row_has_no_score() -> None:
    assert has_come_to_nothing([batch(10)])
    assert has_come_to_nothing([batch(10, scored=9), batch(10)])
    replaced = [batch(10, scored=8), batch(2)]
    assert not has_come_to_nothing(replaced)
    assert not has_come_to_nothing([*replaced, batch(10, scored=None)])
    assert not has_come_to_nothing([*replaced, batch(7), batch(1, scored=1), batch(9)])
    assert has_come_to_nothing([*replaced, batch(7), batch(1)])


@pytest.mark.parametrize(("pairs", "size"), [(10, 10), (200, 20), (5000, 50)])
def test_batches_are_neither_tiny_nor_huge(pairs: int, size: int) -> None:
    assert batch_size(pairs) == size


def test_answers_are_paired_in_order_up_to_the_first_that_waits() -> None:
    rows: list[tuple[str, str, float | None]] = [
        ("first", "scored", 0.1),
        ("second", "unscored", None),
        ("first", "scored", 0.2),
        ("second", "scored", 0.7),
        ("first", "pending", None),
        ("second", "scored", 0.8),
        ("first", "scored", 0.4),
        ("second", "scored", 0.9),
    ]
    found = scores_of_answers(rows)
    assert found.first.tolist() == [0.1, 0.2]
    assert found.second.tolist() == [0.7, 0.8]
    assert found.count == 2


def test_looks_show_the_interval_from_the_fewest_pairs_on() -> None:
    scores = PairedScores(first=np.zeros(150), second=np.tile([0.0, 1.0, math.nan], 50))
    looks = list_looks(scores, AbPlan(pairs=100))
    assert looks[-1].pairs == 100
    assert looks[-1].difference == 0.5
    assert len(looks) <= 60
    assert all((each.low is None) == (each.pairs < FEWEST_CASES) for each in looks)


def test_no_pairs_have_no_looks() -> None:
    assert list_looks(PairedScores(first=np.array([]), second=np.array([])), AbPlan(pairs=10)) == []


def test_every_reason_to_end_is_a_state() -> None:
    assert {AbTestState(stop) for stop in AbStop} == set(OVER) - {AbTestState.FAILED}
    assert set(NEXT) == set(AbTestState)


def test_scores_are_weighted_and_placeholders_left_out() -> None:
    half, failed = Scored(value=0.5), Scored(value=0.0, flag=Flag.JUDGE_FAILED)
    assert weigh([half, Scored(value=1.0)], [1, 3]) == 0.875
    assert weigh([half, failed], [1, 3]) == 0.5
    assert weigh([Scored(value=None), failed], [1, 1]) is None
    assert weigh([half], [0]) is None
