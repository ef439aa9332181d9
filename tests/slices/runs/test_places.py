"""The chunks of a run share the places for calls of a dispatch queue."""

import asyncio
from functools import partial

from edison.kit import ids
from edison.pipeline.generate.path.dispatch_queue import DispatchQueue
from edison.runs.fill.places import Places
from edison.runs.fill.turns import ChunkTurns


class Starter:
    """Has some calls to start, and takes a place for each."""

    def __init__(self, places: Places, calls: int) -> None:
        self.places = places
        self.calls = calls
        self.start = partial(self._start)
        places.join(self.start)
        self.start()

    def _start(self) -> None:
        while self.calls and self.places.has_free:
            self.calls -= 1
            self.places.take()


async def give_back(places: Places, count: int = 1) -> None:
    for _ in range(count):
        places.give_back()
    await asyncio.sleep(0)


async def test_a_free_place_goes_to_the_first_chunk_with_calls() -> None:
    places = Places(DispatchQueue(service="OpenAI", concurrency=3))
    first, second = Starter(places, 4), Starter(places, 4)
    assert (first.calls, second.calls) == (1, 4)
    await give_back(places)
    assert (first.calls, second.calls) == (0, 4)
    await give_back(places)
    assert (first.calls, second.calls) == (0, 3)


async def test_places_that_become_free_together_are_taken_together() -> None:
    places = Places(DispatchQueue(service="OpenAI", concurrency=3))
    first, second = Starter(places, 4), Starter(places, 4)
    await give_back(places, 3)
    assert (first.calls, second.calls) == (0, 2)


async def test_a_chunk_that_has_left_starts_no_calls() -> None:
    places = Places(DispatchQueue(service="OpenAI", concurrency=1))
    first, second = Starter(places, 2), Starter(places, 1)
    places.leave(first.start)
    await give_back(places)
    assert (first.calls, second.calls) == (1, 0)


async def test_a_higher_limit_counts_at_once() -> None:
    dispatch = DispatchQueue(service="OpenAI", concurrency=1)
    places = Places(dispatch)
    starter = Starter(places, 4)
    dispatch.resize(3)
    await give_back(places)
    assert (places.most, starter.calls) == (3, 0)


async def test_places_are_those_of_a_run() -> None:
    turns, dispatch = ChunkTurns(), DispatchQueue(service="OpenAI")
    run_id = ids.new_id()
    async with turns.take(run_id) as first:
        first.note(0, at_once=8)
        async with turns.take(run_id) as second, turns.take(ids.new_id()) as other:
            assert first.places_of(dispatch) is second.places_of(dispatch)
            assert first.places_of(dispatch) is not other.places_of(dispatch)
            assert first.places_of(DispatchQueue(service="X")) is not first.places_of(dispatch)
