"""Who waits in a lane, why, in which order, and how long at most."""

import asyncio
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edison.pipeline.generate.outcome import (
    CallFailed,
    Completion,
    FailureReason,
    FinishReason,
    Outcome,
)
from edison.pipeline.generate.path.breaker import BreakerState
from edison.pipeline.generate.path.flow import Flow
from edison.pipeline.generate.path.lane import Lane
from edison.pipeline.generate.path.ports import Waiting
from edison.pipeline.generate.path.waiter import Slot, Waiter
from tests.pipeline.generate.path.recording import failure, virtual_lane
from tests.support.virtual_time import in_virtual_time, run_virtually, virtual_now

ANSWER = Completion(text="Yes.", finish_reason=FinishReason.STOP, usage=None, model="m")
RATE_LIMIT = FailureReason.RATE_LIMIT


def enter(lane: Lane) -> Slot:
    slot = lane.try_enter()
    assert slot is not None
    return slot


async def reason(waiter: Waiter) -> str:
    news = await waiter.news()
    assert isinstance(news, Waiting), news
    return news.sentence


async def end(waiter: Waiter) -> Slot | CallFailed:
    while isinstance(news := await waiter.news(), Waiting):
        pass
    return news


def fail(lane: Lane, times: int, outcome: CallFailed | None = None) -> None:
    for _ in range(times):
        lane.leave(enter(lane), outcome or failure())


@in_virtual_time
async def test_a_full_lane_says_how_many_calls_are_under_way() -> None:
    lane = virtual_lane(concurrency=2)
    first, _second = enter(lane), enter(lane)
    assert lane.try_enter() is None
    waiter = lane.join()
    assert await reason(waiter) == "Waiting for a free slot, 2 calls are under way"
    lane.leave(first, ANSWER)
    assert isinstance(await end(waiter), Slot)


@in_virtual_time
async def test_slots_go_to_those_who_waited_longest() -> None:
    lane = virtual_lane(concurrency=1)
    held = enter(lane)
    waiters = [lane.join() for _ in range(3)]
    served = []
    for _ in waiters:
        lane.leave(held, ANSWER)
        (number,) = [i for i, each in enumerate(waiters) if each.slot and i not in served]
        served.append(number)
        slot = waiters[number].slot
        assert slot is not None
        held = slot
    assert served == [0, 1, 2]


@in_virtual_time
async def test_a_small_flow_is_served_in_turn_with_a_huge_one() -> None:
    lane = virtual_lane(concurrency=1)
    held = enter(lane)
    huge = [lane.join(Flow(key="huge")) for _ in range(50)]
    small = [lane.join(Flow(key="small")) for _ in range(2)]
    person = lane.join(Flow(key="person", is_interactive=True))
    served = []
    for _ in range(5):
        lane.leave(held, ANSWER)
        (waiter,) = [each for each in (*huge, *small, person) if each.slot and each not in served]
        served.append(waiter)
        assert waiter.slot is not None
        held = waiter.slot
    assert served == [person, huge[0], small[0], huge[1], small[1]]


@in_virtual_time
async def test_patience_ends_in_every_flow() -> None:
    lane = virtual_lane(patience_seconds=100)
    fail(lane, 5)
    waiters = [lane.join(Flow(key=key)) for key in ("a", "a", "b", "b")]
    probe = await end(waiters[0])
    assert isinstance(probe, Slot)
    await asyncio.sleep(1)
    late = lane.join(Flow(key="b"))
    lane.leave(probe, failure())
    assert [isinstance(await end(each), CallFailed) for each in waiters[1:]] == [True] * 3
    assert lane.state.waiting == 1
    assert isinstance(await end(late), Slot)
    assert virtual_now() == 121


@in_virtual_time
async def test_a_lane_without_slots_waits_until_it_is_allowed_some() -> None:
    lane = virtual_lane(concurrency=4)
    lane.allow(0)
    assert lane.try_enter() is None
    waiters = [lane.join() for _ in range(3)]
    assert await reason(waiters[0]) == "Waiting for a free slot, other processes use them all"
    await asyncio.sleep(100)
    lane.allow(2)
    assert [each.slot is not None for each in waiters] == [True, True, False]
    assert (lane.under_way, lane.demand) == (2, 3)


@in_virtual_time
async def test_whoever_shares_out_slots_hears_of_want_and_of_what_comes_back() -> None:
    lane = virtual_lane(concurrency=4)
    heard: list[tuple[int, int]] = []
    lane.on_change = lambda: heard.append((lane.under_way, lane.demand))
    slots = [enter(lane) for _ in range(4)]
    lane.leave(slots.pop(), ANSWER)
    slots.append(enter(lane))
    assert heard == []
    lane.abandon(lane.join())
    assert heard == [(4, 5)]
    lane.allow(2)
    for slot in slots:
        lane.leave(slot, ANSWER)
    assert heard == [(4, 5), (3, 3), (2, 2)]


@in_virtual_time
async def test_the_peak_is_the_highest_demand_since_it_was_forgotten() -> None:
    lane = virtual_lane(concurrency=2)
    first, second = enter(lane), enter(lane)
    lane.abandon(lane.join())
    lane.leave(first, ANSWER)
    assert lane.peak == 3
    lane.forget_peak()
    assert lane.peak == 1
    lane.leave(second, ANSWER)
    lane.leave(enter(lane), ANSWER)
    assert (lane.peak, lane.demand) == (1, 0)


@in_virtual_time
async def test_whoever_is_no_longer_entitled_sends_nothing() -> None:
    entitled = {"is": True}
    lane = virtual_lane(concurrency=1, is_entitled=lambda: entitled["is"])
    held = enter(lane)
    waiter = lane.join()
    entitled["is"] = False
    lane.leave(held, ANSWER)
    await asyncio.sleep(100)
    assert (waiter.slot, lane.try_enter()) == (None, None)
    entitled["is"] = True
    lane.allow(1)
    assert waiter.slot is not None


@in_virtual_time
async def test_a_changed_credential_begins_with_a_clean_record() -> None:
    lane = virtual_lane()
    under_way = enter(lane)
    fail(lane, 5, failure(FailureReason.TIMEOUT))
    waiter = lane.join()
    assert await reason(waiter) == "OpenAI failed 5 times in a row; trying again in 60 s"
    lane.renew("Azure")
    assert waiter.slot is not None
    lane.leave(under_way, failure())
    assert (lane.state.size, lane.state.breaker) == (8, BreakerState.CLOSED)


@in_virtual_time
async def test_nobody_overtakes_the_queue() -> None:
    lane = virtual_lane(concurrency=1)
    held = enter(lane)
    waiter = lane.join()
    lane.leave(held, ANSWER)
    assert waiter.slot is not None
    assert lane.try_enter() is None


@in_virtual_time
async def test_a_time_the_service_names_pauses_the_whole_lane() -> None:
    lane = virtual_lane()
    fail(lane, 1, failure(RATE_LIMIT, retry_after_seconds=11.5))
    assert lane.try_enter() is None
    waiters = [lane.join(), lane.join()]
    assert await reason(waiters[1]) == "Waiting for OpenAI's rate limit, 12 s"
    assert lane.state.seconds_left == 11.5
    assert [isinstance(await end(each), Slot) for each in waiters] == [True, True]
    assert virtual_now() == 11.5


@in_virtual_time
async def test_a_pause_is_never_longer_than_two_minutes() -> None:
    lane = virtual_lane()
    fail(lane, 1, failure(RATE_LIMIT, retry_after_seconds=86_400))
    assert lane.state.seconds_left == 120


@in_virtual_time
async def test_a_shorter_time_after_a_longer_one_does_not_end_the_pause_earlier() -> None:
    lane = virtual_lane(concurrency=2)
    first, second = enter(lane), enter(lane)
    lane.leave(first, failure(RATE_LIMIT, retry_after_seconds=20))
    await asyncio.sleep(1)
    lane.leave(second, failure(RATE_LIMIT, retry_after_seconds=2))
    assert lane.state.seconds_left == 19
    assert isinstance(await end(lane.join()), Slot)
    assert virtual_now() == 20


@in_virtual_time
async def test_a_time_named_by_a_refusal_pauses_nobody() -> None:
    lane = virtual_lane()
    refusal = failure(FailureReason.CONTEXT_LENGTH, is_retryable=False, retry_after_seconds=60)
    fail(lane, 1, refusal)
    enter(lane)


@in_virtual_time
async def test_whoever_waits_hears_when_the_reason_changes() -> None:
    lane = virtual_lane(concurrency=2)
    first, second = enter(lane), enter(lane)
    waiter = lane.join()
    heard = [await reason(waiter)]
    lane.leave(first, failure(RATE_LIMIT, retry_after_seconds=5))
    heard.append(await reason(waiter))
    await asyncio.sleep(2)
    lane.leave(second, failure(RATE_LIMIT, retry_after_seconds=20))
    heard.append(await reason(waiter))
    assert heard == [
        "Waiting for a free slot, 2 calls are under way",
        "Waiting for OpenAI's rate limit, 5 s",
        "Waiting for OpenAI's rate limit, 20 s",
    ]
    assert isinstance(await end(waiter), Slot)
    assert virtual_now() == 22


@in_virtual_time
async def test_an_open_breaker_makes_calls_wait_and_lets_them_try_one_by_one() -> None:
    lane = virtual_lane()
    fail(lane, 5)
    assert lane.state.breaker is BreakerState.OPEN
    await asyncio.sleep(18)
    waiters = [lane.join() for _ in range(3)]
    assert await reason(waiters[0]) == "OpenAI failed 5 times in a row; trying again in 42 s"
    probe = await end(waiters[0])
    assert virtual_now() == 60
    assert isinstance(probe, Slot)
    assert (
        await reason(waiters[1])
        == "OpenAI failed 5 times in a row; one call at a time is trying it"
    )
    lane.leave(probe, ANSWER)
    assert waiters[2].slot is None
    second = await end(waiters[1])
    assert isinstance(second, Slot)
    lane.leave(second, ANSWER)
    assert isinstance(await end(waiters[2]), Slot)
    assert lane.state.breaker is BreakerState.CLOSED


@in_virtual_time
async def test_waiting_for_a_service_that_stays_down_ends_in_its_last_failure() -> None:
    lane = virtual_lane(patience_seconds=100)
    fail(lane, 5)
    waiters = [lane.join(), lane.join(), lane.join()]
    probe = await end(waiters[0])
    assert isinstance(probe, Slot)
    lane.leave(probe, failure(FailureReason.TIMEOUT))
    given_up = await end(waiters[1])
    assert isinstance(given_up, CallFailed)
    assert (given_up.reason, given_up.is_unsent) == (FailureReason.TIMEOUT, True)
    assert given_up.message == (
        "It failed. Edison gave up after waiting 60 s for OpenAI to recover."
    )
    assert isinstance(await end(waiters[2]), CallFailed)
    assert (virtual_now(), lane.state.waiting) == (60, 0)


@in_virtual_time
async def test_a_call_does_not_even_begin_to_wait_beyond_its_patience() -> None:
    lane = virtual_lane(patience_seconds=30)
    fail(lane, 5)
    assert isinstance(await end(lane.join()), CallFailed)
    assert virtual_now() == 0


@in_virtual_time
async def test_time_in_the_queue_before_the_trouble_costs_no_patience() -> None:
    lane = virtual_lane(concurrency=1, patience_seconds=100)
    held = enter(lane)
    waiter = lane.join()
    await asyncio.sleep(500)
    lane.leave(held, failure(RATE_LIMIT, retry_after_seconds=10))
    assert isinstance(await end(waiter), Slot)
    assert virtual_now() == 510


@in_virtual_time
async def test_whoever_leaves_the_queue_with_a_slot_gives_it_back() -> None:
    lane = virtual_lane(concurrency=1)
    held = enter(lane)
    first, second = lane.join(), lane.join()
    lane.leave(held, ANSWER)
    lane.abandon(first)
    assert isinstance(await end(second), Slot)
    lane.abandon(second)
    assert (lane.state.under_way, lane.state.waiting) == (0, 0)


@pytest.mark.parametrize("clock_lag", [0, 1e-7])
@in_virtual_time
async def test_a_pause_that_ends_while_somebody_joins_strands_nobody(clock_lag: float) -> None:
    ticks = iter([0.0, 5 - clock_lag])
    lane = virtual_lane(clock=lambda: next(ticks, 5.0))
    lane.leave(enter(lane), failure(RATE_LIMIT, retry_after_seconds=5))
    assert isinstance(await end(lane.join()), Slot)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), concurrency=st.integers(1, 5), calls=st.integers(1, 60))
def test_random_cancellations_never_leak_a_slot(seed: int, concurrency: int, calls: int) -> None:
    run_virtually(_cancel_at_random(random.Random(seed), concurrency, calls))  # noqa: S311 - dice


async def _cancel_at_random(luck: random.Random, concurrency: int, calls: int) -> None:
    lane = virtual_lane(concurrency=concurrency, patience_seconds=1e9)
    most_at_once = 0

    async def call() -> None:
        nonlocal most_at_once
        await asyncio.sleep(luck.random() * 3)
        slot = lane.try_enter()
        if slot is None:
            waiter = lane.join()
            is_heard = False
            try:
                got = await end(waiter)
                is_heard = True
            finally:
                if not is_heard:
                    lane.abandon(waiter)
            assert isinstance(got, Slot)
            slot = got
        outcome: Outcome | None = None
        most_at_once = max(most_at_once, lane.state.under_way)
        try:
            await asyncio.sleep(luck.random())
            outcome = luck.choice(
                [ANSWER, ANSWER, failure(), failure(RATE_LIMIT, retry_after_seconds=luck.random())]
            )
        finally:
            lane.leave(slot, outcome)

    tasks = [asyncio.create_task(call()) for _ in range(calls)]
    for task in luck.sample(tasks, k=luck.randint(0, calls)):
        await asyncio.sleep(luck.random() * 0.3)
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert [task for task in tasks if not task.cancelled() and task.exception()] == []
    assert most_at_once <= concurrency
    assert (lane.state.under_way, lane.state.waiting) == (0, 0)
