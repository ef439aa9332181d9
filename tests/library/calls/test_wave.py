"""Calls in waves: slots, reservations and requests, without a database."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, cast
from uuid import UUID

import pytest

from edison.jobs.heartbeat import Replaced
from edison.kit.errors import Exhausted
from edison.library.calls.token_bounds import PromptBound
from edison.library.calls.wave import CallWave, WaveCall, WaveTools
from edison.pipeline.generate.call import Call
from edison.pipeline.generate.outcome import CallFailed, Completion, FailureReason, Outcome
from edison.pipeline.generate.path.call_path import key_of
from edison.pipeline.generate.path.dispatch_queue import DispatchQueue
from edison.pipeline.generate.path.fair_queue import Slot
from edison.pipeline.generate.path.retry import AttemptSeries
from edison.pipeline.generate.providers.scripted import Scripted
from edison.pipeline.generate.tokens.bound import BilledInput
from tests.library.calls.manual_ledger import FixedLookAhead, ManualLedger
from tests.pipeline.generate.path.recording import WORST_NANOS, Desk, failure, make_question
from tests.support.patience import PATIENCE_SECONDS

SLOTS = 2
BOUND = PromptBound(counted=3, tokens=3, billed=BilledInput())


class Held(Scripted):
    """Answers when it may."""

    async def complete(self, call: Call) -> Outcome:
        await _may_answer.wait()
        return await super().complete(call)


_may_answer = asyncio.Event()


@dataclass
class Bench:
    """A wave with its owner and its ledger."""

    ledger: ManualLedger = field(default_factory=ManualLedger)
    dispatch: DispatchQueue = field(
        default_factory=lambda: DispatchQueue(service="OpenAI", concurrency=SLOTS)
    )
    desk: Desk = field(default_factory=Desk)
    has_ended: list[WaveCall] = field(default_factory=list)
    came_back: list[tuple[WaveCall, BaseException | None]] = field(default_factory=list)
    kept: list[tuple[str, str]] = field(default_factory=list)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        tools = WaveTools(
            database=cast(Any, None),
            path=self.desk.path,
            cache=cast(Any, self),
            cache_mode=cast(Any, None),
            observer=self.desk.observer,
            ask=cast(Any, None),
            is_current=lambda _: True,
            learn=cast(Any, None),
            ledger=self.ledger,
        )
        self.batch_writer: Any = self
        self.wave = CallWave(tools, self)

    # The cache of answers and its writer, which commits what was added in one turn of the loop.

    def expiry(self, now: datetime) -> datetime:
        return now

    def new_answer(self, key: str, completion: Completion, **_: Any) -> tuple[str, str]:
        return key, completion.text

    def submit_growing(self, _batch: Any, kept: list[Any], **_: Any) -> "asyncio.Future[None]":
        self.kept = kept
        return asyncio.get_running_loop().create_future()

    def start(self, count: int) -> list[WaveCall]:
        provider = Held(answers=("Paris.",) * count)
        calls = []
        for _ in range(count):
            question = make_question(provider, dispatch=self.dispatch)
            attempts = AttemptSeries(question, key_of(question), self.desk.observer)
            calls.append(WaveCall(question, BOUND, key_of(question), attempts))
            self.wave.start(calls[-1])
        return calls

    def commit(
        self, refusal: BaseException | None = None, *, entries: Sequence[UUID] | None = None
    ) -> list[UUID]:
        reserved = list(self.ledger.waiting if entries is None else entries)
        for entry_id in reserved:
            del self.ledger.waiting[entry_id]
        self.ledger.on_reserved([(entry_id, refusal) for entry_id in reserved])
        return reserved

    async def until_ended(self, count: int) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while len(self.has_ended) < count:
                self._news.clear()
                await self._news.wait()

    def ended(self, call: WaveCall) -> None:
        # Otherwise a killed process would have paid for an answer that it asks for again.
        assert len(self.kept) == sum(not cost.failure for cost in self.ledger.charged.values())
        self.has_ended.append(call)
        self._news.set()

    def given_back(self, call: WaveCall, refusal: BaseException | None) -> None:
        self.came_back.append((call, refusal))


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.setitem(globals(), "_may_answer", asyncio.Event())
    return Bench()


async def test_a_call_reserves_when_it_has_a_slot_and_leaves_when_that_is_committed(
    bench: Bench,
) -> None:
    bench.start(SLOTS + 1)
    assert [each.leaves_at_once for each in bench.ledger.waiting.values()] == [True] * SLOTS
    assert (bench.dispatch.under_way, bench.dispatch.state.waiting) == (SLOTS, 1)
    first = bench.commit()
    _may_answer.set()
    await bench.until_ended(SLOTS)
    assert set(bench.ledger.charged) == set(first)
    assert all(isinstance(call.attempt.outcome, Completion) for call in bench.has_ended)
    assert len(bench.ledger.waiting) == 1
    bench.commit()
    await bench.until_ended(SLOTS + 1)
    assert len(bench.ledger.charged) == SLOTS + 1
    assert bench.kept == [(call.key, "Paris.") for call in bench.has_ended]
    assert (bench.dispatch.under_way, bench.came_back) == (0, [])


async def test_what_is_withdrawn_is_released_when_its_reservation_is_committed(
    bench: Bench,
) -> None:
    calls = bench.start(SLOTS + 1)
    bench.wave.withdraw()
    assert {call for call, _ in bench.came_back} == set(calls)
    assert (bench.dispatch.under_way, bench.dispatch.state.waiting) == (0, 0)
    reserved = bench.commit()
    assert bench.ledger.released == reserved
    assert (bench.ledger.charged, bench.has_ended) == ({}, [])


async def test_a_refused_reservation_frees_the_slot(bench: Bench) -> None:
    calls = bench.start(SLOTS)
    refusal = Exhausted("The budget is used up.")
    bench.commit(refusal)
    assert bench.came_back == [(call, refusal) for call in calls]
    assert bench.dispatch.under_way == 0
    assert (bench.ledger.charged, bench.ledger.released) == ({}, [])


async def test_stopping_charges_calls_in_flight_in_full(bench: Bench) -> None:
    bench.start(SLOTS)
    bench.commit()
    await asyncio.sleep(0)
    await bench.wave.stop()
    assert [(cost.failure, cost.cost_nanos) for cost in bench.ledger.charged.values()] == [
        ("cancelled", WORST_NANOS)
    ] * SLOTS
    assert [call.attempt.outcome for call in bench.has_ended] == [None] * SLOTS
    assert bench.dispatch.under_way == 0


async def test_calls_that_get_the_next_slots_reserve_ahead(bench: Bench) -> None:
    bench.dispatch.look_ahead = FixedLookAhead(1)
    calls = bench.start(SLOTS + 2)
    assert [each.leaves_at_once for each in bench.ledger.waiting.values()] == [True] * 3
    bench.commit()
    assert [call.attempt.has_left for call in calls] == [True, True, False, False]
    _may_answer.set()
    await bench.until_ended(SLOTS + 1)
    # The third was sent without a further commit, and the fourth was called up in its place.
    assert bench.has_ended == calls[:3]
    (fourth,) = bench.ledger.waiting
    bench.commit()
    await bench.until_ended(4)
    assert list(bench.ledger.charged)[-1] == fourth
    assert (bench.dispatch.under_way, bench.dispatch.state.waiting, bench.came_back) == (0, 0, [])


async def test_a_call_whose_slot_comes_before_its_reservation_leaves_with_the_commit(
    bench: Bench,
) -> None:
    bench.dispatch.look_ahead = FixedLookAhead(1)
    calls = bench.start(SLOTS + 1)
    first, second, third = bench.ledger.waiting
    bench.commit(entries=[first, second])
    _may_answer.set()
    await bench.until_ended(SLOTS)
    assert (calls[2].attempt.has_slot, calls[2].attempt.has_left) == (True, False)
    bench.commit(entries=[third])
    await bench.until_ended(3)
    assert len(bench.ledger.charged) == 3


async def test_withdrawing_releases_calls_that_wait_for_a_slot(bench: Bench) -> None:
    """None of them gets the slot of another that is withdrawn before it."""
    bench.dispatch.look_ahead = FixedLookAhead(2)
    calls = bench.start(SLOTS + 3)
    first, second, third, fourth = bench.ledger.waiting
    bench.commit(entries=[third])
    bench.wave.withdraw()
    assert [call.attempt.has_left for call in calls] == [False] * 5
    assert {call for call, _ in bench.came_back} == set(calls)
    assert (bench.dispatch.under_way, bench.dispatch.state.waiting) == (0, 0)
    assert bench.ledger.released == [third]
    bench.commit()
    assert bench.ledger.released == [third, first, second, fourth]
    assert bench.ledger.charged == {}


async def test_a_refused_reservation_leaves_the_queue(bench: Bench) -> None:
    bench.dispatch.look_ahead = FixedLookAhead(1)
    calls = bench.start(SLOTS + 1)
    first, second, third = bench.ledger.waiting
    bench.commit(entries=[first, second])
    refusal = Exhausted("The budget is used up.")
    bench.commit(refusal, entries=[third])
    assert bench.came_back == [(calls[2], refusal)]
    assert (bench.dispatch.under_way, bench.dispatch.state.waiting) == (SLOTS, 0)


async def test_a_cancelled_call_that_waits_for_a_slot_is_released(bench: Bench) -> None:
    bench.dispatch.look_ahead = FixedLookAhead(1)
    calls = bench.start(SLOTS + 1)
    *_, third = bench.commit()
    bench.wave.cancel(calls[2])
    assert bench.ledger.released == [third]
    assert (bench.dispatch.under_way, bench.dispatch.state.waiting) == (SLOTS, 0)
    _may_answer.set()
    await bench.until_ended(SLOTS)
    assert not calls[2].attempt.has_left


async def test_a_reservation_that_was_lost_meanwhile_sends_nothing(bench: Bench) -> None:
    """Peers took this process for dead while the call waited for its slot."""
    bench.dispatch.look_ahead = FixedLookAhead(1)
    calls = bench.start(SLOTS + 1)
    bench.commit()
    bench.ledger.lost = Replaced()
    _may_answer.set()
    await bench.until_ended(SLOTS)
    assert [call for call, _ in bench.came_back] == [calls[2]]
    assert not calls[2].attempt.has_left
    assert bench.dispatch.under_way == 0


async def test_a_call_that_gives_up_in_the_queue_releases_its_reservation(bench: Bench) -> None:
    bench.dispatch = DispatchQueue(service="OpenAI", concurrency=SLOTS, patience_seconds=0)
    bench.dispatch.look_ahead = FixedLookAhead(1)
    calls = bench.start(SLOTS + 1)
    *_, third = bench.commit()
    overload = failure(FailureReason.RATE_LIMIT, retry_after_seconds=60)
    bench.dispatch.leave(Slot(0, 0), overload)
    assert isinstance(calls[2].attempt.outcome, CallFailed)
    assert bench.has_ended == [calls[2]]
    assert bench.ledger.released == [third]
