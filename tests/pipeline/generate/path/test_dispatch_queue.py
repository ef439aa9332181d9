"""The dispatch queue: order, reasons and limits of waiting."""

import asyncio
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edison.pipeline.generate.outcome import (
    FailureReason,
    Outcome,
)
from edison.pipeline.generate.path.circuit_breaker import BreakerState
from edison.pipeline.generate.path.fair_queue import CallGroup, Slot
from tests.pipeline.generate.path.queued import ANSWER, RATE_LIMIT, end, enter, fail, reason
from tests.pipeline.generate.path.recording import failure, virtual_queue
from tests.support.virtual_time import in_virtual_time, run_virtually, virtual_now


@in_virtual_time
async def test_a_full_queue_reports_the_calls_in_progress() -> None:
    dispatch = virtual_queue(concurrency=2)
    first, _second = enter(dispatch), enter(dispatch)
    assert dispatch.try_enter() is None
    waiter = dispatch.join()
    assert await reason(waiter) == "Waiting for a free slot of OpenAI, 2 calls are in progress"
    dispatch.leave(first, ANSWER)
    assert isinstance(await end(waiter), Slot)


@in_virtual_time
async def test_slots_go_to_the_longest_waiters() -> None:
    dispatch = virtual_queue(concurrency=1)
    held = enter(dispatch)
    waiters = [dispatch.join() for _ in range(3)]
    served = []
    for _ in waiters:
        dispatch.leave(held, ANSWER)
        (number,) = [i for i, each in enumerate(waiters) if each.slot and i not in served]
        served.append(number)
        slot = waiters[number].slot
        assert slot is not None
        held = slot
    assert served == [0, 1, 2]


@in_virtual_time
async def test_a_small_call_group_is_served_in_turn_with_a_huge_one() -> None:
    dispatch = virtual_queue(concurrency=1)
    held = enter(dispatch)
    huge = [dispatch.join(CallGroup(key="huge")) for _ in range(50)]
    small = [dispatch.join(CallGroup(key="small")) for _ in range(2)]
    person = dispatch.join(CallGroup(key="person", is_interactive=True))
    served = []
    for _ in range(5):
        dispatch.leave(held, ANSWER)
        (waiter,) = [each for each in (*huge, *small, person) if each.slot and each not in served]
        served.append(waiter)
        assert waiter.slot is not None
        held = waiter.slot
    assert served == [person, huge[0], small[0], huge[1], small[1]]


@in_virtual_time
async def test_a_queue_without_slots_waits_until_some_are_allowed() -> None:
    dispatch = virtual_queue(concurrency=4)
    dispatch.allow(0)
    assert dispatch.try_enter() is None
    waiters = [dispatch.join() for _ in range(3)]
    assert (
        await reason(waiters[0])
        == "Waiting for a free slot of OpenAI, other processes use them all"
    )
    await asyncio.sleep(100)
    dispatch.allow(2)
    assert [each.slot is not None for each in waiters] == [True, True, False]
    assert (dispatch.under_way, dispatch.demand) == (2, 3)


@in_virtual_time
async def test_on_change_fires_for_new_demand_and_returned_slots() -> None:
    dispatch = virtual_queue(concurrency=4)
    heard: list[tuple[int, int]] = []
    dispatch.on_change = lambda: heard.append((dispatch.under_way, dispatch.demand))
    slots = [enter(dispatch) for _ in range(4)]
    dispatch.leave(slots.pop(), ANSWER)
    slots.append(enter(dispatch))
    assert heard == []
    dispatch.abandon(dispatch.join())
    assert heard == [(4, 5)]
    dispatch.allow(2)
    for slot in slots:
        dispatch.leave(slot, ANSWER)
    assert heard == [(4, 5), (3, 3), (2, 2)]


@in_virtual_time
async def test_the_peak_is_the_highest_demand_since_its_reset() -> None:
    dispatch = virtual_queue(concurrency=2)
    first, second = enter(dispatch), enter(dispatch)
    dispatch.abandon(dispatch.join())
    dispatch.leave(first, ANSWER)
    assert dispatch.peak == 3
    dispatch.forget_peak()
    assert dispatch.peak == 1
    dispatch.leave(second, ANSWER)
    dispatch.leave(enter(dispatch), ANSWER)
    assert (dispatch.peak, dispatch.demand) == (1, 0)


@in_virtual_time
async def test_a_process_that_is_not_entitled_sends_nothing() -> None:
    entitled = {"is": True}
    dispatch = virtual_queue(concurrency=1, is_entitled=lambda: entitled["is"])
    held = enter(dispatch)
    waiter = dispatch.join()
    entitled["is"] = False
    dispatch.leave(held, ANSWER)
    await asyncio.sleep(100)
    assert (waiter.slot, dispatch.try_enter()) == (None, None)
    entitled["is"] = True
    dispatch.allow(1)
    assert waiter.slot is not None


@in_virtual_time
async def test_a_changed_credential_resets_breaker_and_limiter() -> None:
    dispatch = virtual_queue()
    under_way = enter(dispatch)
    fail(dispatch, 5, failure(FailureReason.TIMEOUT))
    waiter = dispatch.join()
    assert await reason(waiter) == "OpenAI failed 5 times in a row; trying again in 60 s"
    dispatch.renew("Azure")
    assert waiter.slot is not None
    dispatch.leave(under_way, failure())
    assert (dispatch.state.size, dispatch.state.breaker) == (8, BreakerState.CLOSED)


@in_virtual_time
async def test_new_calls_do_not_overtake_the_queue() -> None:
    dispatch = virtual_queue(concurrency=1)
    held = enter(dispatch)
    waiter = dispatch.join()
    dispatch.leave(held, ANSWER)
    assert waiter.slot is not None
    assert dispatch.try_enter() is None


@in_virtual_time
async def test_retry_after_of_a_rate_limit_pauses_the_whole_queue() -> None:
    dispatch = virtual_queue()
    fail(dispatch, 1, failure(RATE_LIMIT, retry_after_seconds=11.5))
    assert dispatch.try_enter() is None
    waiters = [dispatch.join(), dispatch.join()]
    assert await reason(waiters[1]) == "Waiting for OpenAI's rate limit, 12 s"
    assert dispatch.state.seconds_left == 11.5
    assert [isinstance(await end(each), Slot) for each in waiters] == [True, True]
    assert virtual_now() == 11.5


@in_virtual_time
async def test_a_pause_is_never_longer_than_two_minutes() -> None:
    dispatch = virtual_queue()
    fail(dispatch, 1, failure(RATE_LIMIT, retry_after_seconds=86_400))
    assert dispatch.state.seconds_left == 120


@in_virtual_time
async def test_a_shorter_retry_after_does_not_shorten_the_pause() -> None:
    dispatch = virtual_queue(concurrency=2)
    first, second = enter(dispatch), enter(dispatch)
    dispatch.leave(first, failure(RATE_LIMIT, retry_after_seconds=20))
    await asyncio.sleep(1)
    dispatch.leave(second, failure(RATE_LIMIT, retry_after_seconds=2))
    assert dispatch.state.seconds_left == 19
    assert isinstance(await end(dispatch.join()), Slot)
    assert virtual_now() == 20


@in_virtual_time
async def test_retry_after_of_a_refusal_does_not_pause_the_queue() -> None:
    dispatch = virtual_queue()
    refusal = failure(FailureReason.CONTEXT_LENGTH, is_retryable=False, retry_after_seconds=60)
    fail(dispatch, 1, refusal)
    enter(dispatch)


@in_virtual_time
async def test_a_waiter_is_notified_when_the_reason_changes() -> None:
    dispatch = virtual_queue(concurrency=2)
    first, second = enter(dispatch), enter(dispatch)
    waiter = dispatch.join()
    heard = [await reason(waiter)]
    dispatch.leave(first, failure(RATE_LIMIT, retry_after_seconds=5))
    heard.append(await reason(waiter))
    await asyncio.sleep(2)
    dispatch.leave(second, failure(RATE_LIMIT, retry_after_seconds=20))
    heard.append(await reason(waiter))
    assert heard == [
        "Waiting for a free slot of OpenAI, 2 calls are in progress",
        "Waiting for OpenAI's rate limit, 5 s",
        "Waiting for OpenAI's rate limit, 20 s",
    ]
    assert isinstance(await end(waiter), Slot)
    assert virtual_now() == 22


@in_virtual_time
async def test_an_open_breaker_makes_calls_wait_and_probe_one_by_one() -> None:
    dispatch = virtual_queue()
    fail(dispatch, 5)
    assert dispatch.state.breaker is BreakerState.OPEN
    await asyncio.sleep(18)
    waiters = [dispatch.join() for _ in range(3)]
    assert await reason(waiters[0]) == "OpenAI failed 5 times in a row; trying again in 42 s"
    probe = await end(waiters[0])
    assert virtual_now() == 60
    assert isinstance(probe, Slot)
    assert (
        await reason(waiters[1])
        == "OpenAI failed 5 times in a row; one call at a time is trying it"
    )
    dispatch.leave(probe, ANSWER)
    assert waiters[2].slot is None
    second = await end(waiters[1])
    assert isinstance(second, Slot)
    dispatch.leave(second, ANSWER)
    assert isinstance(await end(waiters[2]), Slot)
    assert dispatch.state.breaker is BreakerState.CLOSED


@in_virtual_time
async def test_an_abandoned_waiter_releases_its_slot() -> None:
    dispatch = virtual_queue(concurrency=1)
    held = enter(dispatch)
    first, second = dispatch.join(), dispatch.join()
    dispatch.leave(held, ANSWER)
    dispatch.abandon(first)
    assert isinstance(await end(second), Slot)
    dispatch.abandon(second)
    assert (dispatch.state.under_way, dispatch.state.waiting) == (0, 0)


@pytest.mark.parametrize("clock_lag", [0, 1e-7])
@in_virtual_time
async def test_a_pause_that_ends_while_a_call_joins_does_not_strand_it(clock_lag: float) -> None:
    ticks = iter([0.0, 5 - clock_lag])
    dispatch = virtual_queue(clock=lambda: next(ticks, 5.0))
    dispatch.leave(enter(dispatch), failure(RATE_LIMIT, retry_after_seconds=5))
    assert isinstance(await end(dispatch.join()), Slot)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), concurrency=st.integers(1, 5), calls=st.integers(1, 60))
def test_random_cancellations_never_leak_a_slot(seed: int, concurrency: int, calls: int) -> None:
    run_virtually(_cancel_at_random(random.Random(seed), concurrency, calls))  # noqa: S311 - dice


async def _cancel_at_random(luck: random.Random, concurrency: int, calls: int) -> None:
    dispatch = virtual_queue(concurrency=concurrency, patience_seconds=1e9)
    most_at_once = 0

    async def call() -> None:
        nonlocal most_at_once
        await asyncio.sleep(luck.random() * 3)
        slot = dispatch.try_enter()
        if slot is None:
            waiter = dispatch.join()
            is_heard = False
            try:
                got = await end(waiter)
                is_heard = True
            finally:
                if not is_heard:
                    dispatch.abandon(waiter)
            assert isinstance(got, Slot)
            slot = got
        outcome: Outcome | None = None
        most_at_once = max(most_at_once, dispatch.state.under_way)
        try:
            await asyncio.sleep(luck.random())
            outcome = luck.choice(
                [ANSWER, ANSWER, failure(), failure(RATE_LIMIT, retry_after_seconds=luck.random())]
            )
        finally:
            dispatch.leave(slot, outcome)

    tasks = [asyncio.create_task(call()) for _ in range(calls)]
    for task in luck.sample(tasks, k=luck.randint(0, calls)):
        await asyncio.sleep(luck.random() * 0.3)
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert [task for task in tasks if not task.cancelled() and task.exception()] == []
    assert most_at_once <= concurrency
    assert (dispatch.state.under_way, dispatch.state.waiting) == (0, 0)
