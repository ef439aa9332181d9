"""Which work of several models is compared."""

from uuid import UUID

from edison.runs.insight.pool import ModelPool, PooledCell

FIRST, SECOND, THIRD = (UUID(int=number) for number in range(1, 4))


def pool_of(done: dict[UUID, dict[tuple[str, str], float | None]]) -> ModelPool:
    pool = ModelPool()
    for model_id, scores in done.items():
        for work, score in scores.items():
            pool.add(model_id, work, PooledCell(score=score, nanos=1000, seconds=0.5))
    return pool


def cases(count: int, score: float, work: str = "v1") -> dict[tuple[str, str], float | None]:
    return {(work, f"case {number}"): score for number in range(count)}


def test_models_are_compared_on_what_all_of_them_did() -> None:
    found = pool_of({FIRST: cases(10, 0.5), SECOND: cases(8, 0.9)}).compare()
    assert (found.cases, found.left_out) == (8, [])
    assert [each.key for each in found.records] == [str(FIRST), str(SECOND)]
    assert [len(each.scores) for each in found.records] == [8, 8]


def test_other_prompt_versions_are_other_work() -> None:
    found = pool_of({FIRST: cases(10, 0.5), SECOND: cases(9, 0.9, work="v2")}).compare()
    assert (found.cases, found.left_out) == (10, [SECOND])


def test_several_versions_of_one_case_count_once() -> None:
    both = cases(6, 0.4) | cases(6, 0.8, work="v2")
    found = pool_of({FIRST: both, SECOND: both}).compare()
    assert found.cases == 6
    assert found.records[0].scores == {f"case {number}": 0.6 for number in range(6)}


def test_a_model_with_few_shared_cases_does_not_shrink_the_comparison() -> None:
    done = {FIRST: cases(20, 0.5), SECOND: cases(18, 0.9), THIRD: cases(6, 0.9)}
    found = pool_of(done).compare()
    assert (found.cases, found.left_out) == (18, [THIRD])
    assert pool_of(done).count_cases(THIRD) == 6


def test_cases_without_a_score_do_not_count() -> None:
    some = cases(10, 0.5) | {("v1", "case 3"): None}
    assert pool_of({FIRST: some, SECOND: cases(10, 0.9)}).compare().cases == 9


def test_answers_from_the_cache_say_nothing_about_the_price() -> None:
    pool = ModelPool()
    for number in range(5):
        nanos = 0 if number < 3 else 3000
        pool.add(FIRST, ("v1", f"case {number}"), PooledCell(score=1, nanos=nanos, seconds=None))
        pool.add(SECOND, ("v1", f"case {number}"), PooledCell(score=1, nanos=0, seconds=None))
        pool.add(THIRD, ("v1", f"case {number}"), PooledCell(score=1, nanos=None, seconds=None))
    costs = {each.key: each.cost for each in pool.compare().records}
    assert costs == {str(FIRST): 3000, str(SECOND): 0, str(THIRD): None}


def test_an_empty_pool_compares_nothing() -> None:
    assert ModelPool().compare().records == []
