"""One limit for all processes that call with a credential."""

import asyncio
import random
from collections.abc import Callable
from contextlib import AsyncExitStack

import pytest
from sqlalchemy import delete, event

from edison.jobs import heartbeat as heartbeats
from edison.jobs.models import WorkerProcess
from edison.library.calls import shares
from edison.library.calls.repository import LaneShares
from edison.library.calls.shares import Share
from edison.pipeline.generate.call_limits import CallLimits
from edison.workspace.credentials.models import Credential
from tests.library.calls.calling import ANSWER, call, enter
from tests.library.calls.conftest import Installation

# Often, for tests that wait until slots have moved.
LOOK_SECONDS = 0.25


@pytest.fixture(autouse=True)
def _look_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shares, "LOOK_SECONDS", LOOK_SECONDS)
    monkeypatch.setattr(shares, "TURN_SECONDS", LOOK_SECONDS)


async def until(is_so: Callable[[], bool], seconds: float = 20) -> None:
    async with asyncio.timeout(seconds):
        while not is_so():  # noqa: ASYNC110 - what is waited for happens in the program
            await asyncio.sleep(0.01)


async def test_a_process_alone_has_all_slots_from_the_first_call_on(
    installation: Installation,
) -> None:
    async with installation.caller() as alone:
        await alone.share.ready()
        slots = [alone.share.dispatch.try_enter() for _ in range(9)]
        assert [slot is not None for slot in slots] == [True] * 8 + [False]
        assert await installation.slots() == {alone.batch_writer.heartbeat.id: 8}


async def test_slots_wait_for_a_call_that_takes_long_to_begin(installation: Installation) -> None:
    async with installation.caller() as caller:
        await caller.share.ready()
        await asyncio.sleep(6 * LOOK_SECONDS)
        assert caller.share.dispatch.try_enter() is not None


async def test_simultaneous_callers_share_one_database_read(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Shares are also updated by their keeper: periodically, when demand grows, and when a listener
    # has connected. Only reads that callers wait for count here.
    keep = Share._begin_keeping
    monkeypatch.setattr(Share, "_begin_keeping", lambda share: setattr(share, "_is_claimed", True))
    async with installation.caller(limit=100) as alone:
        looks = 0

        @event.listens_for(alone.database.engine.sync_engine, "before_cursor_execute")
        def _count(_connection: object, _cursor: object, statement: str, *_: object) -> None:
            nonlocal looks
            looks += "FROM credentials" in statement

        await asyncio.gather(*(alone.share.ready() for _ in range(2000)))
        assert looks == 1
        keep(alone.share)
        await asyncio.gather(*(call(alone.share, 0) for _ in range(2000)))


async def test_another_process_gets_its_part_when_calls_end(installation: Installation) -> None:
    async with installation.caller() as first, installation.caller() as second:
        held = [await enter(first.share) for _ in range(8)]
        waiting = [asyncio.create_task(enter(second.share)) for _ in range(8)]
        await until(lambda: first.share.dispatch.most == 4)
        assert (second.share.dispatch.under_way, first.share.dispatch.under_way) == (0, 8)
        for number, slot in enumerate(held[:4], 1):
            first.share.dispatch.leave(slot, ANSWER)
            await until(lambda at_least=number: second.share.dispatch.under_way >= at_least)
            assert await installation.taken() == 8
        assert first.share.dispatch.try_enter() is None
        for task in waiting:
            task.cancel()
        await asyncio.wait(waiting)


async def test_slots_follow_demand(installation: Installation) -> None:
    async with installation.caller() as first, installation.caller() as second:
        busy = [asyncio.create_task(_call_forever(first.share)) for _ in range(20)]
        await until(lambda: first.share.dispatch.under_way == 8)
        await call(second.share, 0.01)
        some = [asyncio.create_task(_call_forever(second.share)) for _ in range(2)]
        await until(lambda: (first.share.dispatch.most, second.share.dispatch.most) == (6, 2))
        for task in some:
            task.cancel()
        await until(lambda: first.share.dispatch.most == 8)
        for task in busy:
            task.cancel()
        await asyncio.wait([*busy, *some])
        async with asyncio.timeout(20):
            while await installation.slots():  # noqa: ASYNC110 - it happens in the program
                await asyncio.sleep(0.01)
        await call(first.share, 0)


async def _call_forever(share: Share) -> None:
    while True:
        await call(share, 0.01)


async def test_with_fewer_slots_than_processes_all_take_turns(installation: Installation) -> None:
    async with AsyncExitStack() as running:
        callers = [
            await running.enter_async_context(installation.caller(limit=1)) for _ in range(3)
        ]
        done = [0, 0, 0]
        under_way = 0

        async def work(place: int) -> None:
            nonlocal under_way
            while True:
                slot = await enter(callers[place].share)
                under_way += 1
                assert under_way == 1
                await asyncio.sleep(0.005)
                under_way -= 1
                callers[place].share.dispatch.leave(slot, ANSWER)
                done[place] += 1

        tasks = [asyncio.create_task(work(place)) for place in range(3) for _ in range(2)]
        await until(lambda: min(done) > 20, seconds=30)
        assert not any(task.done() for task in tasks)
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


async def race(installation: Installation, *, patience_seconds: float = 60) -> tuple[int, int, int]:
    """The most concurrent calls, the most slots given out at once, and the number of calls that
    never got a slot.
    """
    luck = random.Random(5)  # noqa: S311 - dice
    async with AsyncExitStack() as running:
        callers = [
            await running.enter_async_context(installation.caller(limit=5)) for _ in range(4)
        ]
        under_way = most = 0
        slots: list[int] = []

        async def work() -> None:
            nonlocal under_way, most
            share = luck.choice(callers).share
            await asyncio.sleep(luck.random())
            slot = await enter(share)
            under_way += 1
            most = max(most, under_way)
            try:
                await asyncio.sleep(luck.random() * 0.02)
            finally:
                under_way -= 1
                share.dispatch.leave(slot, ANSWER)

        async def watch() -> None:
            while True:
                slots.append(await installation.taken())
                await asyncio.sleep(0.005)

        watching = asyncio.create_task(watch())
        tasks = [asyncio.create_task(work()) for _ in range(400)]
        await asyncio.sleep(0.5)
        for task in luck.sample(tasks, 60):
            task.cancel()
        _, stuck = await asyncio.wait(tasks, timeout=patience_seconds)
        for task in stuck:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        watching.cancel()
        assert not [task for task in tasks if not task.cancelled() and task.exception()]
        return most, max(slots), len(stuck)


async def test_racing_processes_stay_within_the_limit(installation: Installation) -> None:
    assert await race(installation) == (5, 5, 0)


@pytest.mark.parametrize("empty_url", ["postgresql"], indirect=True)
async def test_the_race_detects_a_missing_lock(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lock(_shares: LaneShares) -> CallLimits:
        return CallLimits()

    monkeypatch.setattr(LaneShares, "lock", lock)
    # Slots that were given out twice may keep some calls waiting for ever.
    most, slots, _ = await race(installation, patience_seconds=10)
    if min(most, slots) <= 5:
        # Once in a while nothing collides. A detector that never sees it fails here as well.
        most, slots, _ = await race(installation, patience_seconds=10)
    assert most > 5
    assert slots > 5


async def test_slots_of_a_dead_process_go_to_the_others(installation: Installation) -> None:
    async with installation.caller() as living:
        async with installation.caller() as dead:
            await call(dead.share, 0)
            assert await installation.slots() == {dead.batch_writer.heartbeat.id: 8}
        assert await installation.slots() == {}
        await call(living.share, 0)
        assert living.share.dispatch.most == 8


async def test_a_replaced_process_sends_nothing_in_slots_that_are_no_longer_its_own(
    installation: Installation,
) -> None:
    async with installation.caller() as frozen, installation.caller() as other:
        held = await enter(frozen.share)
        waiting = [asyncio.create_task(enter(frozen.share)) for _ in range(9)]
        await until(lambda: frozen.share.dispatch.under_way == 8)
        before = frozen.batch_writer.heartbeat.id
        assert await heartbeats.remove(installation.database, before)
        assert await installation.slots() == {}
        took = [await enter(other.share) for _ in range(8)]
        await frozen.batch_writer.beat()
        assert frozen.share.dispatch.most == 0
        frozen.share.dispatch.leave(held, ANSWER)
        await until(lambda: frozen.batch_writer.heartbeat.beat > 0)
        for slot in took:
            other.share.dispatch.leave(slot, ANSWER)
            other.share.done()
        await until(lambda: sum(task.done() for task in waiting) == 8)
        assert before not in await installation.slots()
        for task in waiting:
            task.cancel()
        await asyncio.wait(waiting)


async def test_a_removed_process_gets_no_slots_until_it_is_listed_again(
    installation: Installation,
) -> None:
    async with installation.caller() as caller:
        await caller.batch_writer.beat()
        async with installation.database.write() as session:
            await session.execute(delete(WorkerProcess))
        await caller.share.ready()
        assert caller.share.dispatch.try_enter() is None
        await enter(caller.share)
        assert await installation.slots() == {caller.batch_writer.heartbeat.id: 8}


async def test_calls_of_a_deleted_credential_are_not_blocked(installation: Installation) -> None:
    async with installation.caller() as caller:
        await call(caller.share, 0)
        async with installation.database.write() as session:
            await session.execute(delete(Credential))
        await asyncio.gather(*(call(caller.share, 0.01) for _ in range(20)))
