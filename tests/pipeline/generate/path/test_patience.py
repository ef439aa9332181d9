"""How long calls wait for a service that is down."""

import asyncio

from edison.pipeline.generate.outcome import (
    CallFailed,
    FailureReason,
)
from edison.pipeline.generate.path.fair_queue import CallGroup, Slot
from edison.pipeline.generate.path.ports import Waiting
from tests.pipeline.generate.path.queued import RATE_LIMIT, end, enter, fail
from tests.pipeline.generate.path.recording import failure, virtual_queue
from tests.support.virtual_time import in_virtual_time, virtual_now


@in_virtual_time
async def test_waiting_times_out_in_every_call_group() -> None:
    dispatch = virtual_queue(patience_seconds=100)
    fail(dispatch, 5)
    waiters = [dispatch.join(CallGroup(key=key)) for key in ("a", "a", "b", "b")]
    probe = await end(waiters[0])
    assert isinstance(probe, Slot)
    await asyncio.sleep(1)
    late = dispatch.join(CallGroup(key="b"))
    dispatch.leave(probe, failure())
    assert [isinstance(await end(each), CallFailed) for each in waiters[1:]] == [True] * 3
    assert dispatch.state.waiting == 1
    assert isinstance(await end(late), Slot)
    assert virtual_now() == 121


@in_virtual_time
async def test_waiting_for_a_service_that_stays_down_ends_in_its_last_failure() -> None:
    dispatch = virtual_queue(patience_seconds=100)
    fail(dispatch, 5)
    waiters = [dispatch.join(), dispatch.join(), dispatch.join()]
    probe = await end(waiters[0])
    assert isinstance(probe, Slot)
    dispatch.leave(probe, failure(FailureReason.TIMEOUT))
    given_up = await end(waiters[1])
    assert isinstance(given_up, CallFailed)
    assert (given_up.reason, given_up.is_unsent) == (FailureReason.TIMEOUT, True)
    assert given_up.message == (
        "It failed. Edison gave up after waiting 60 s for OpenAI to recover."
    )
    assert isinstance(await end(waiters[2]), CallFailed)
    assert (virtual_now(), dispatch.state.waiting) == (60, 0)


@in_virtual_time
async def test_a_call_that_gives_up_ends_once_though_another_joins_at_that_moment() -> None:
    dispatch = virtual_queue(patience_seconds=100)
    fail(dispatch, 5)
    heard: list[Waiting | Slot | CallFailed] = []

    def hear(news: Waiting | Slot | CallFailed) -> None:
        heard.append(news)
        if isinstance(news, CallFailed):
            # As a run does, whose next cell takes the place.
            dispatch.join().listen(lambda _: None)

    trying = dispatch.join()
    dispatch.join().listen(hear)
    probe = await end(trying)
    assert isinstance(probe, Slot)
    dispatch.leave(probe, failure())
    assert [isinstance(news, CallFailed) for news in heard].count(True) == 1
    assert isinstance(heard[-1], CallFailed)
    assert dispatch.state.waiting == 1


@in_virtual_time
async def test_a_call_that_would_time_out_does_not_wait() -> None:
    dispatch = virtual_queue(patience_seconds=30)
    fail(dispatch, 5)
    assert isinstance(await end(dispatch.join()), CallFailed)
    assert virtual_now() == 0


@in_virtual_time
async def test_queue_time_before_an_outage_does_not_count_towards_the_timeout() -> None:
    dispatch = virtual_queue(concurrency=1, patience_seconds=100)
    held = enter(dispatch)
    waiter = dispatch.join()
    await asyncio.sleep(500)
    dispatch.leave(held, failure(RATE_LIMIT, retry_after_seconds=10))
    assert isinstance(await end(waiter), Slot)
    assert virtual_now() == 510
