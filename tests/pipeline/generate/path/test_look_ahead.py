"""How many calls reserve ahead of a slot, and in which order they get one."""

import pytest

from edison.pipeline.generate.path.fair_queue import CallGroup, QueuedCall
from edison.pipeline.generate.path.look_ahead import LookAhead
from tests.library.calls.manual_ledger import FixedLookAhead
from tests.pipeline.generate.path.queued import ANSWER, enter, fail
from tests.pipeline.generate.path.recording import failure, virtual_queue
from tests.support.virtual_time import in_virtual_time

SAMPLES = 100


def measured(*, reserving: float, calling: float) -> LookAhead:
    look_ahead = LookAhead()
    for _ in range(SAMPLES):
        look_ahead.note_reserving(reserving)
        look_ahead.note_call(calling)
    return look_ahead


@pytest.mark.parametrize(
    ("reserving", "calling", "size"),
    [
        # Of 100 calls that take 50 ms, 20 end while a reservation is written.
        (0.01, 0.05, 20),
        (0.01, 2.0, 0),
        (0.01, 0.5, 2),
        # Never more than are under way.
        (0.4, 0.05, 100),
    ],
)
def test_as_many_reserve_ahead_as_slots_become_free_meanwhile(
    reserving: float, calling: float, size: int
) -> None:
    look_ahead = measured(reserving=reserving, calling=calling)
    assert look_ahead.size(100) == pytest.approx(size, abs=1)


def test_no_call_reserves_ahead_before_anything_is_measured() -> None:
    assert LookAhead().size(100) == 0


def listening(waiters: list[QueuedCall]) -> list[int]:
    """The places of those called up, in the order in which they were."""
    called: list[int] = []
    for place, waiter in enumerate(waiters):
        waiter.listen(lambda _: None, lambda place=place: called.append(place))  # type: ignore[misc]  # a default
    return called


@in_virtual_time
async def test_the_next_calls_are_called_up_and_get_their_slots_in_that_order() -> None:
    dispatch = virtual_queue(concurrency=1)
    dispatch.look_ahead = FixedLookAhead(2)
    held = enter(dispatch)
    waiters = [dispatch.join(CallGroup(key=key)) for key in ("huge", "huge", "huge", "small")]
    called = listening(waiters)
    # The first two were called up before the small group came.
    assert called == [0, 1]
    for place in (0, 1, 2, 3):
        dispatch.leave(held, ANSWER)
        slot = waiters[place].slot
        assert slot is not None
        held = slot
    assert called == [0, 1, 2, 3]
    assert (dispatch.under_way, dispatch.waiting) == (1, 0)


@in_virtual_time
async def test_new_calls_do_not_overtake_those_called_up() -> None:
    dispatch = virtual_queue(concurrency=1)
    dispatch.look_ahead = FixedLookAhead(1)
    held = enter(dispatch)
    waiter = dispatch.join()
    dispatch.allow(0)
    dispatch.leave(held, ANSWER)
    assert dispatch.try_enter() is None
    dispatch.allow(1)
    assert waiter.slot is not None


@in_virtual_time
async def test_an_abandoned_call_that_was_called_up_leaves_its_place_to_another() -> None:
    dispatch = virtual_queue(concurrency=1)
    dispatch.look_ahead = FixedLookAhead(1)
    held = enter(dispatch)
    first, second = dispatch.join(), dispatch.join()
    dispatch.abandon(first)
    assert dispatch.waiting == 1
    dispatch.leave(held, ANSWER)
    assert (first.slot, second.slot is not None) == (None, True)


@in_virtual_time
async def test_no_call_is_called_up_while_the_service_is_down() -> None:
    dispatch = virtual_queue()
    dispatch.look_ahead = FixedLookAhead(2)
    fail(dispatch, 5, failure())
    called = listening([dispatch.join() for _ in range(3)])
    # The first probes whether the service works again.
    assert called == []
    assert dispatch.wanted == dispatch.limit
