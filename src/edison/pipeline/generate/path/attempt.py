"""One attempt to call a model: reserve, wait in the dispatch queue, call within a deadline, charge.

`Attempt.run` does all of it. A wave of calls, which reserves for many attempts at once, takes the
same steps one by one: `take_slot`, `intent`, `leave`, `begin` or `complete`, `settle`.

However the attempt ends, its slot is freed and its reservation is charged or released exactly once.
The deadline backs up the provider's own timeout: a provider that exceeds it by more than the grace
period has a bug, and its call fails with a timeout.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, contextmanager

from edison.kit import clock
from edison.pipeline.generate.outcome import (
    CallFailed,
    Completion,
    FailureReason,
    Outcome,
    TextDelta,
    Usage,
)
from edison.pipeline.generate.path.charges import charge_nanos, usage_of_answer, usage_of_failure
from edison.pipeline.generate.path.fair_queue import Slot
from edison.pipeline.generate.path.ports import (
    AttemptCost,
    AttemptReport,
    Intent,
    Ledger,
    Observer,
    Reservation,
    Waiting,
)
from edison.pipeline.generate.path.question import Question
from edison.pipeline.generate.provider import OnEnd, SentCall
from edison.pipeline.generate.wire.failures import RequestContext, failed

GRACE_SECONDS = 5.0
CANCELLED = "cancelled"


class Stopwatch:
    def __init__(self, provider: str, observer: Observer, clock: Callable[[], float]) -> None:
        self._provider = provider
        self._observer = observer
        self._clock = clock
        self._reason: str | None = None
        self._since = 0.0
        self.total_seconds = 0.0

    def begin(self, reason: str) -> None:
        """Starts a wait and ends the previous one, if any."""
        self.end()
        self._reason = reason
        self._since = self._clock()

    def end(self) -> None:
        if self._reason is None:
            return
        seconds = self._clock() - self._since
        self.total_seconds += seconds
        self._observer.waited(provider=self._provider, reason=self._reason, seconds=seconds)
        self._reason = None

    @contextmanager
    def timing(self, reason: str) -> Iterator[None]:
        self.begin(reason)
        try:
            yield
        finally:
            self.end()


class Attempt:
    """`outcome` is set when `run` finishes, and stays None when `run` is cancelled."""

    def __init__(
        self, question: Question, *, number: int, is_streamed: bool, stopwatch: Stopwatch
    ) -> None:
        self._question = question
        self._number = number
        self._is_streamed = is_streamed
        self._stopwatch = stopwatch
        self._slot: Slot | None = None
        self._pieces: list[str] = []
        self._started_at: float | None = None
        self.outcome: Outcome | None = None
        self.usage: Usage | None = None
        self.cost_nanos: int | None = 0

    @property
    def has_left(self) -> bool:
        return self._started_at is not None

    @property
    def has_slot(self) -> bool:
        return self._slot is not None

    @property
    def has_shown_text(self) -> bool:
        return bool(self._pieces)

    async def run(self, ledger: Ledger, observer: Observer) -> AsyncGenerator[Waiting | TextDelta]:
        reservation = await self._reserve(ledger)
        failure: str | None = CANCELLED
        try:
            if self._slot is None:
                async with aclosing(self._queue()) as reasons:
                    async for reason in reasons:
                        yield reason
            if self._slot is not None:
                await reservation.confirm()
                self.leave()
                # The reason on record if the provider raises an unexpected exception.
                failure = FailureReason.PROVIDER
                if self._is_streamed:
                    async with aclosing(self._stream()) as pieces:
                        async for piece in pieces:
                            yield piece
                else:
                    self.outcome = await self.complete()
            failure = self.outcome.reason if isinstance(self.outcome, CallFailed) else None
        except (asyncio.CancelledError, GeneratorExit):
            failure = CANCELLED
            raise
        finally:
            reservation.charge(self.settle(observer, failure))

    def take_slot(self, slot: Slot | None) -> bool:
        self._slot = slot
        return slot is not None

    def settle(self, observer: Observer, failure: str | None) -> AttemptCost:
        """Ends the attempt: frees its slot, reports it, and returns what to charge. Call it exactly
        once for an attempt with a reservation or a slot.
        """
        self._charge()
        slot, self._slot = self._slot, None
        if slot is not None:
            self._question.dispatch.leave(slot, self.outcome)
        if self.has_left:
            self._report(observer)
        return AttemptCost(
            cost_nanos=self.cost_nanos,
            usage=self.usage,
            failure=failure,
            has_left=self.has_left,
        )

    async def _reserve(self, ledger: Ledger) -> Reservation:
        """Takes a free slot before reserving, if there is one: the ledger entry then records from
        the start that the request is sent, which saves a second write.
        """
        dispatch = self._question.dispatch
        self._slot = dispatch.try_enter()
        try:
            return await ledger.reserve(self.intent(leaves_at_once=self.has_slot))
        except BaseException:
            if self._slot is not None:
                dispatch.leave(self._slot, None)
            raise

    def leave(self) -> None:
        """Call it right before the request is sent."""
        self._started_at = clock.now().timestamp()
        on_leave = self._question.listener.on_leave
        if on_leave is not None:
            on_leave()

    async def _queue(self) -> AsyncGenerator[Waiting]:
        dispatch = self._question.dispatch
        waiter = dispatch.join(self._question.call_group)
        is_heard = False
        try:
            while isinstance(news := await waiter.news(), Waiting):
                self._stopwatch.begin(news.reason)
                yield news
            is_heard = True
        finally:
            self._stopwatch.end()
            if not is_heard:
                dispatch.abandon(waiter)
        if isinstance(news, Slot):
            self._slot = news
        else:
            self.outcome = news

    def begin(self, on_end: OnEnd) -> SentCall | None:
        """Sends the request if that needs no task. Otherwise await `complete`."""
        return self._question.provider.begin(self._question.call, on_end)

    async def complete(self) -> Outcome:
        call = self._question.call
        try:
            async with asyncio.timeout(call.timeout_seconds + GRACE_SECONDS) as deadline:
                return await self._question.provider.complete(call)
        except TimeoutError:
            if not deadline.expired():
                raise
            return self._overstayed()

    async def _stream(self) -> AsyncGenerator[TextDelta]:
        call = self._question.call
        ends_at = asyncio.get_running_loop().time() + call.timeout_seconds + GRACE_SECONDS
        async with aclosing(self._question.provider.stream(call)) as items:  # type: ignore[type-var]  # an async generator, declared as an iterator
            while self.outcome is None:
                try:
                    # Never around the `yield`: a timeout there would cancel the reader of the
                    # stream.
                    async with asyncio.timeout_at(ends_at) as deadline:
                        item = await anext(items)
                except TimeoutError:
                    if not deadline.expired():
                        raise
                    self.outcome = self._overstayed()
                    return
                if isinstance(item, TextDelta):
                    self._pieces.append(item.text)
                    yield item
                else:
                    self.outcome = item

    def _overstayed(self) -> CallFailed:
        call = self._question.call
        asked = RequestContext(
            service=self._question.service, model=call.model, timeout_seconds=call.timeout_seconds
        )
        return failed(asked, FailureReason.TIMEOUT)

    def intent(self, *, leaves_at_once: bool) -> Intent:
        question = self._question
        prices = question.prices
        return Intent(
            provider=question.provider_key,
            model=question.call.model,
            attempt=self._number,
            worst_case_nanos=None
            if prices is None
            else prices.worst_case_nanos(
                input_tokens=question.input_tokens, max_tokens=question.max_tokens
            ),
            price_version=None if prices is None else prices.version,
            leaves_at_once=leaves_at_once,
            is_simulated=question.provider.is_simulated,
            counted_tokens=question.counted_tokens,
        )

    def _charge(self) -> None:
        question = self._question
        if not self.has_left:
            return
        if isinstance(self.outcome, Completion):
            self.usage = usage_of_answer(
                self.outcome, input_tokens=question.input_tokens, max_tokens=question.max_tokens
            )
        else:
            self.usage = usage_of_failure(
                self.outcome,
                input_tokens=question.input_tokens,
                received="".join(self._pieces),
                max_tokens=question.max_tokens,
            )
        if self.usage is not None:
            prices = question.prices
            self.cost_nanos = None if prices is None else charge_nanos(self.usage, prices)

    def _report(self, observer: Observer) -> None:
        ended_at = clock.now().timestamp()
        observer.attempt_ended(
            AttemptReport(
                provider=self._question.provider_key,
                model=self._question.call.model,
                attempt=self._number,
                outcome=self.outcome,
                cost_nanos=self.cost_nanos,
                started_at=ended_at if self._started_at is None else self._started_at,
                ended_at=ended_at,
            )
        )
