"""The connection pool serves waiters in order and loses no connection."""

import asyncio
import random

import pytest
from sqlalchemy.exc import TimeoutError as PoolTimeout

from edison.db.pool import WaitingRoom


def make_room(
    places: int = 1, *, timeout_seconds: float = 30, most_waiting: int = 10_000
) -> WaitingRoom:
    return WaitingRoom(places, timeout_seconds=timeout_seconds, most_waiting=most_waiting)


async def test_waiters_get_connections_in_order() -> None:
    room = make_room()
    assert room.try_enter()
    order: list[int] = []

    async def visit(number: int) -> None:
        await room.enter()
        order.append(number)
        room.leave()

    visits = [asyncio.create_task(visit(number)) for number in range(50)]
    await asyncio.sleep(0)
    room.leave()
    # The place belongs to the first waiter, although its task has not resumed yet.
    assert not room.try_enter()
    await asyncio.gather(*visits)
    assert order == list(range(50))
    assert (room.in_use, room.waiting, room.waited_count) == (0, 0, 50)


async def test_a_full_waiting_list_refuses_at_once() -> None:
    room = make_room(most_waiting=1)
    assert room.try_enter()
    waiting = asyncio.create_task(room.enter())
    await asyncio.sleep(0)
    with pytest.raises(PoolTimeout):
        await room.enter()
    room.leave()
    await waiting
    assert room.refused_count == 1


async def test_waiting_too_long_raises_and_frees_the_place_in_line() -> None:
    room = make_room(timeout_seconds=0.01)
    assert room.try_enter()
    with pytest.raises(PoolTimeout):
        await room.enter()
    room.leave()
    assert room.try_enter()
    assert (room.in_use, room.waiting, room.refused_count) == (1, 0, 1)


@pytest.mark.parametrize("seed", range(5))
async def test_no_connection_is_lost_when_waiters_are_cancelled(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - a test's dice
    room = make_room(3)
    most = 0

    async def visit() -> None:
        nonlocal most
        if not room.try_enter():
            await room.enter()
        most = max(most, room.in_use)
        try:
            for _ in range(chance.randint(0, 3)):
                await asyncio.sleep(0)
        finally:
            room.leave()

    visits = [asyncio.create_task(visit()) for _ in range(300)]
    for _ in range(100):
        await asyncio.sleep(0)
        chance.choice(visits).cancel()
    await asyncio.gather(*visits, return_exceptions=True)
    assert (room.in_use, room.waiting, most) == (0, 0, 3)
