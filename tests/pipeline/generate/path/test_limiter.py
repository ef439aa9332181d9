"""The adaptive concurrency limit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edison.pipeline.generate.path.concurrency_limiter import ConcurrencyLimiter


def fill(limiter: ConcurrencyLimiter) -> list[int]:
    taken = []
    while limiter.has_room:
        taken.append(limiter.take())
    return taken


def release(limiter: ConcurrencyLimiter, taken: list[int], *, overload: bool) -> None:
    for each in taken:
        limiter.release(each, is_overload=overload, is_success=not overload)


def test_a_hundred_simultaneous_failures_halve_the_limit_once() -> None:
    limiter = ConcurrencyLimiter(100)
    release(limiter, fill(limiter), overload=True)
    assert limiter.size == 50


def test_the_limit_never_falls_below_one() -> None:
    limiter = ConcurrencyLimiter(8)
    sizes = []
    for _ in range(5):
        release(limiter, fill(limiter), overload=True)
        sizes.append(limiter.size)
    assert sizes == [4, 2, 1, 1, 1]


def test_each_round_of_successes_adds_about_one_up_to_the_maximum() -> None:
    limiter = ConcurrencyLimiter(8)
    for _ in range(3):
        release(limiter, fill(limiter), overload=True)
    sizes = []
    for _ in range(10):
        release(limiter, fill(limiter), overload=False)
        sizes.append(limiter.size)
    assert sizes == [2, 2, 3, 4, 5, 6, 7, 7, 8, 8]


def test_a_failure_unrelated_to_load_changes_nothing() -> None:
    limiter = ConcurrencyLimiter(8)
    limiter.release(limiter.take(), is_overload=False, is_success=False)
    assert (limiter.size, limiter.under_way) == (8, 0)


def test_a_smaller_share_lets_calls_finish_and_gives_no_new_slots() -> None:
    limiter = ConcurrencyLimiter(8)
    taken = fill(limiter)
    limiter.allow(6)
    release(limiter, taken[:2], overload=False)
    assert (limiter.under_way, limiter.has_room) == (6, False)
    release(limiter, taken[2:3], overload=False)
    assert limiter.has_room
    limiter.allow(0)
    assert (limiter.size, limiter.has_room) == (0, False)


def test_a_share_grows_at_once_up_to_the_learned_limit() -> None:
    limiter = ConcurrencyLimiter(8)
    limiter.allow(2)
    limiter.allow(8)
    assert limiter.size == 8
    release(limiter, fill(limiter), overload=True)
    limiter.allow(2)
    release(limiter, fill(limiter), overload=False)
    limiter.allow(8)
    assert limiter.size == 4


def test_an_overload_halves_the_slots_in_use() -> None:
    limiter = ConcurrencyLimiter(8)
    limiter.allow(4)
    release(limiter, fill(limiter), overload=True)
    assert limiter.size == 2
    limiter.allow(4)
    (taken, *_) = fill(limiter)
    limiter.allow(0)
    release(limiter, [taken], overload=True)
    limiter.allow(8)
    assert limiter.size == 1


def test_the_learned_limit_can_be_reset() -> None:
    limiter = ConcurrencyLimiter(8)
    first, second = limiter.take(), limiter.take()
    release(limiter, [first], overload=True)
    limiter.forget()
    release(limiter, [second], overload=True)
    assert limiter.size == 8


def test_a_limit_of_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="At least one"):
        ConcurrencyLimiter(0)


@given(
    most=st.integers(1, 20),
    steps=st.lists(st.tuples(st.booleans(), st.integers(0, 19), st.booleans()), max_size=200),
)
def test_the_limit_stays_within_its_bounds_in_any_order(
    most: int, steps: list[tuple[bool, int, bool]]
) -> None:
    limiter = ConcurrencyLimiter(most)
    under_way: list[int] = []
    for enters, which, is_overload in steps:
        before = limiter.size
        if enters and limiter.has_room:
            under_way.append(limiter.take())
            assert len(under_way) <= before
        elif not enters and under_way:
            taken = under_way.pop(which % len(under_way))
            limiter.release(taken, is_overload=is_overload, is_success=not is_overload)
        assert 1 <= limiter.size <= most
        assert limiter.size >= before // 2
        assert limiter.under_way == len(under_way)
