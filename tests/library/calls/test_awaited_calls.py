"""Calls of a wave that are awaited one by one."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Any, cast

import pytest

from edison.kit.errors import Exhausted
from edison.library.calls.awaited_calls import AwaitedCalls
from edison.library.calls.token_bounds import PromptBound
from edison.library.calls.wave import CallWave, WaveTools
from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.outcome import CallFailed, Completion
from edison.pipeline.generate.path.dispatch_queue import DispatchQueue
from edison.pipeline.generate.path.question import (
    NO_LISTENER,
    Answer,
    CacheMode,
    CallListener,
    Question,
)
from edison.pipeline.generate.providers.scripted import Scripted, ScriptExhausted
from edison.pipeline.generate.tokens.bound import BilledInput
from edison.pipeline.render.prompt import Message, RenderedPrompt
from tests.library.calls.manual_ledger import ManualLedger
from tests.pipeline.generate.path.recording import WORST_NANOS, Desk, failure, make_question
from tests.support.patience import PATIENCE_SECONDS

BOUND = PromptBound(counted=3, tokens=3, billed=BilledInput())
PROMPT = RenderedPrompt(system=None, messages=(Message(role="user", text="Where is it?"),))


async def skip(_seconds: float) -> None:
    """Does not wait between attempts."""


class Bench:
    """A wave with one slot, its ledger, and a model that gives these answers."""

    def __init__(self, *answers: str | CallFailed, delay_seconds: float = 0) -> None:
        self.provider = Scripted(answers=answers, delay_seconds=delay_seconds)
        self.dispatch = DispatchQueue(service="OpenAI", concurrency=1)
        self.desk = Desk(sleep=skip)
        self.ledger = ManualLedger()
        self.kept: dict[str, Completion] = {}
        self.learnt: list[Answer] = []
        self.batch_writer: Any = self
        self.may_flush = asyncio.Event()
        self.may_flush.set()
        self.calls = AwaitedCalls(self.batch_writer)
        self.wave = CallWave(
            WaveTools(
                database=cast(Any, None),
                path=self.desk.path,
                cache=cast(Any, self),
                cache_mode=CacheMode.USE,
                observer=self.desk.observer,
                ask=self._ask,
                is_current=lambda _: True,
                learn=self._learn,
                ledger=self.ledger,
            ),
            self.calls,
        )

    async def _ask(
        self, _prompt: RenderedPrompt, _parameters: Parameters, listener: CallListener
    ) -> tuple[Question, PromptBound]:
        return make_question(self.provider, dispatch=self.dispatch, listener=listener), BOUND

    async def _learn(self, _bound: PromptBound, answer: Answer) -> None:
        self.learnt.append(answer)

    # The cache of answers and its writer.

    async def find(self, key: str) -> Completion | None:
        return self.kept.get(key)

    def expiry(self, now: datetime) -> datetime:
        return now

    def new_answer(self, key: str, completion: Completion, **_: Any) -> None:
        self.kept[key] = completion

    async def after_flush(self) -> None:
        await self.may_flush.wait()

    def submit_growing(self, *_: Any, **__: Any) -> "asyncio.Future[None]":
        return asyncio.get_running_loop().create_future()

    def start(self) -> "asyncio.Task[Answer]":
        return asyncio.create_task(self.calls.answer(self.wave, PROMPT, Parameters(), NO_LISTENER))

    async def commit(self, refusal: BaseException | None = None) -> None:
        await until(lambda: bool(self.ledger.waiting))
        reserved, self.ledger.waiting = list(self.ledger.waiting), {}
        self.ledger.on_reserved([(entry_id, refusal) for entry_id in reserved])

    @property
    def ends(self) -> list[tuple[str | None, int | None]]:
        return [(cost.failure, cost.cost_nanos) for cost in self.ledger.charged.values()]


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not is_so():  # noqa: ASYNC110 - what is awaited has no event
            await asyncio.sleep(0)


async def cancelled(answering: "asyncio.Task[Answer]") -> bool:
    answering.cancel()
    await asyncio.wait([answering])
    return answering.cancelled()


async def test_an_answer_is_charged_kept_and_learnt_from() -> None:
    bench = Bench("Paris.")
    answering = bench.start()
    await bench.commit()
    answer = await answering
    assert isinstance(answer.outcome, Completion)
    assert answer.outcome.text == "Paris."
    assert [end for end, _ in bench.ends] == [None]
    assert bench.kept == {answer.cache_key: answer.outcome}
    assert bench.learnt == [answer]
    assert bench.dispatch.under_way == 0


async def test_the_next_call_takes_the_slot_before_the_caller_goes_on() -> None:
    bench = Bench("Paris.", "Rome.")
    first, second = bench.start(), bench.start()
    await until(lambda: bench.dispatch.state.waiting == 1)
    bench.may_flush.clear()
    await bench.commit()
    await bench.commit()
    await until(lambda: len(bench.ledger.charged) == 2)
    assert not bench.learnt
    bench.may_flush.set()
    assert bench.learnt == [await first, await second]


async def test_after_a_failure_the_caller_goes_on_before_the_flush() -> None:
    bench = Bench(failure(is_unsent=True), "Paris.")
    bench.may_flush.clear()
    answering = bench.start()
    await bench.commit()
    await until(lambda: bench.learnt != [])
    assert (await answering).attempts == 2


async def test_a_cached_answer_needs_no_reservation() -> None:
    bench = Bench("Paris.")
    answering = bench.start()
    await bench.commit()
    first, again = await answering, await bench.start()
    assert (again.is_cached, again.outcome) == (True, first.outcome)
    assert (len(bench.ledger.charged), bench.desk.observer.from_cache) == (1, 1)


async def test_a_refused_reservation_is_raised() -> None:
    bench = Bench("Paris.")
    answering = bench.start()
    await bench.commit(Exhausted("The budget is used up."))
    with pytest.raises(Exhausted, match="used up"):
        await answering
    assert (bench.dispatch.under_way, bench.provider.calls) == (0, ())


async def test_a_wave_that_refuses_calls_sends_none_but_those_in_flight() -> None:
    bench = Bench("Paris.")
    in_flight = bench.start()
    await bench.commit()
    reserving, queued = bench.start(), bench.start()
    await in_flight
    await until(lambda: bool(bench.ledger.waiting) and bench.dispatch.state.waiting == 1)
    bench.kept.clear()
    bench.wave.refuse(Exhausted("The key was refused."))
    for refused in (reserving, queued, bench.start()):
        with pytest.raises(Exhausted, match="The key"):
            await refused
    await bench.commit()
    assert (len(bench.ledger.released), len(bench.ledger.charged)) == (1, 1)
    assert (bench.dispatch.under_way, bench.dispatch.state.waiting) == (0, 0)


async def test_a_failed_call_is_retried() -> None:
    bench = Bench(failure(), "Paris.")
    answering = bench.start()
    await bench.commit()
    answer = await answering
    assert (answer.attempts, isinstance(answer.outcome, Completion)) == (2, True)
    assert bench.ends == [("provider", 0)]
    assert [end for end, _ in bench.desk.ledger.ends] == [None]
    assert bench.learnt == [answer]


async def test_an_unexpected_exception_is_raised_and_charged_in_full() -> None:
    bench = Bench()
    answering = bench.start()
    await bench.commit()
    with pytest.raises(ScriptExhausted):
        await answering
    assert bench.ends == [("provider", WORST_NANOS)]


async def test_a_caller_cancelled_in_the_queue_leaves_it() -> None:
    bench = Bench("Paris.")
    first, second = bench.start(), bench.start()
    await until(lambda: bench.dispatch.state.waiting == 1)
    assert await cancelled(second)
    assert bench.dispatch.state.waiting == 0
    await bench.commit()
    await first
    assert (len(bench.provider.calls), len(bench.ledger.charged)) == (1, 1)


async def test_a_caller_cancelled_while_reserving_gives_the_money_back() -> None:
    bench = Bench("Paris.")
    answering = bench.start()
    await until(lambda: bool(bench.ledger.waiting))
    (entry_id,) = bench.ledger.waiting
    assert await cancelled(answering)
    assert bench.dispatch.under_way == 0
    await bench.commit()
    assert (bench.ledger.released, bench.ledger.charged) == ([entry_id], {})
    assert bench.provider.calls == ()


async def test_a_caller_cancelled_in_flight_pays_in_full() -> None:
    bench = Bench("Paris.", delay_seconds=PATIENCE_SECONDS)
    answering = bench.start()
    await bench.commit()
    await until(lambda: len(bench.provider.calls) == 1)
    assert await cancelled(answering)
    await bench.wave.stop()
    assert bench.ends == [("cancelled", WORST_NANOS)]
    assert bench.dispatch.under_way == 0


async def test_stopping_the_wave_cancels_its_callers() -> None:
    bench = Bench("Paris.", delay_seconds=PATIENCE_SECONDS)
    in_flight, queued = bench.start(), bench.start()
    await bench.commit()
    await until(lambda: len(bench.provider.calls) == 1)
    await bench.wave.stop()
    await asyncio.wait([in_flight, queued])
    assert (in_flight.cancelled(), queued.cancelled()) == (True, True)
    assert bench.ends == [("cancelled", WORST_NANOS)]
