"""Calls of one model in waves: many calls reserve, charge and cache as one write each.

A call of a wave takes the same steps by the same rules as a call of the call path, but has no task,
future or generator of its own until its request is sent. It reserves when it has a slot of the
dispatch queue or will have one soon, which records from the start that the request is sent, and
sends the request when it has both. Only the first attempt is made here: a call that fails or whose
reservation is refused goes back to its owner, who continues with it alone.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, Protocol
from uuid import UUID

from edison.db.session import Database
from edison.jobs.write_group import WriteGroup
from edison.kit.lazy_dataclasses import dataclass
from edison.library.calls.answer_cache import KEEP_ANSWER, ProjectAnswerCache, find_answers
from edison.library.calls.repository import NewCachedAnswer
from edison.library.calls.token_bounds import PromptBound
from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.outcome import CallFailed, Completion, FailureReason, Outcome
from edison.pipeline.generate.path.attempt import CANCELLED, Attempt
from edison.pipeline.generate.path.call_path import CallPath, from_cache, key_of
from edison.pipeline.generate.path.fair_queue import QueuedCall, Slot
from edison.pipeline.generate.path.ports import Observer, Reserved, Waiting, WaveLedger
from edison.pipeline.generate.path.question import Answer, CacheMode, CallListener, Question
from edison.pipeline.generate.path.retry import AttemptSeries
from edison.pipeline.generate.provider import CallEnd, OnEnd, SentCall
from edison.pipeline.render.prompt import RenderedPrompt


class WaveCall:
    """A call and its first attempt. It has an `answer` when that ended in a completion. `broken` is
    an unexpected exception of the provider.
    """

    __slots__ = (
        "answer",
        "attempt",
        "attempts",
        "began_at",
        "bound",
        "broken",
        "key",
        "question",
        "waiter",
    )

    def __init__(
        self, question: Question, bound: PromptBound, key: str, attempts: AttemptSeries
    ) -> None:
        self.question = question
        self.bound = bound
        self.key = key
        self.attempts = attempts
        self.attempt: Attempt = attempts.begin(is_streamed=False)
        # Waits for a slot.
        self.waiter: QueuedCall | None = None
        # When the present step began: the reservation, or the request.
        self.began_at = 0.0
        self.answer: Answer | None = None
        self.broken: BaseException | None = None

    @property
    def prompt(self) -> RenderedPrompt:
        return self.question.call.prompt


class WaveOwner(Protocol):
    """Each started call ends in exactly one of these, unless it was cancelled or the wave stopped
    before.
    """

    def ended(self, call: WaveCall) -> None:
        """The attempt has ended and is charged. It has no outcome if it was cancelled or broke."""

    def given_back(self, call: WaveCall, refusal: BaseException | None) -> None:
        """The call was not sent: it or its reservation was refused, or it was withdrawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WaveTools:
    """What the calls of a wave have in common. `ask` makes the question of a prompt; `is_current`
    says whether its bound still holds; `learn` learns from an answer.
    """

    database: Database
    path: CallPath
    cache: ProjectAnswerCache
    cache_mode: CacheMode
    observer: Observer
    ask: Callable[
        [RenderedPrompt, Parameters, CallListener], Awaitable[tuple[Question, PromptBound]]
    ]
    is_current: Callable[[PromptBound], bool]
    learn: Callable[[PromptBound, Answer], Awaitable[None]]
    ledger: WaveLedger


class CallWave:
    def __init__(self, tools: WaveTools, owner: WaveOwner) -> None:
        self._tools = tools
        self._owner = owner
        self._ledger = tools.ledger
        self._kept: WriteGroup[NewCachedAnswer, None] = WriteGroup(
            tools.cache.batch_writer, KEEP_ANSWER
        )
        # Of the present group: when its answers were kept, and when they expire.
        self._times: tuple[datetime | None, datetime | None] = (None, None)
        # A started call is in one of these: it waits for a slot and has not reserved, its
        # reservation is being written, it is reserved and waits for a slot, it is sent.
        self._queued: set[WaveCall] = set()
        self._reserving: dict[UUID, WaveCall] = {}
        self._ready: dict[WaveCall, UUID] = {}
        self._sent: dict[WaveCall, tuple[UUID, SentCall]] = {}
        self._refusal: Exception | None = None
        # While `stop` waits.
        self._one_ended: asyncio.Future[None] | None = None

    async def prepare(
        self, prompt: RenderedPrompt, parameters: Parameters, listener: CallListener
    ) -> WaveCall:
        question, bound = await self._tools.ask(prompt, parameters, listener)
        key = key_of(question)
        attempts = AttemptSeries(question, key, self._tools.observer)
        return WaveCall(question, bound, key, attempts)

    async def find_cached(self, calls: Collection[WaveCall]) -> Mapping[WaveCall, Answer]:
        """Looks all calls up at once."""
        tools, project_id = self._tools, self._tools.cache.project_id
        if tools.cache_mode is CacheMode.BYPASS:
            return {}
        kept = await find_answers(tools.database, {(project_id, call.key) for call in calls})
        return {
            call: self._from_cache(call, kept[project_id, call.key])
            for call in calls
            if (project_id, call.key) in kept
        }

    async def find_one_cached(self, call: WaveCall) -> Answer | None:
        """Shares its query with other calls that are looked up at the same time."""
        if self._tools.cache_mode is CacheMode.BYPASS:
            return None
        kept = await self._tools.cache.find(call.key)
        return None if kept is None else self._from_cache(call, kept)

    def is_current(self, call: WaveCall) -> bool:
        """False if the call must be prepared again, since it would reserve too little."""
        return self._tools.is_current(call.bound)

    def start(self, call: WaveCall) -> None:
        """Sends the call as soon as it has a slot and a reservation."""
        if self._refusal is not None:
            self._owner.given_back(call, self._refusal)
            return
        dispatch = call.question.dispatch
        if call.attempt.take_slot(dispatch.try_enter()):
            self._reserve(call)
            return
        self._queued.add(call)
        call.waiter = dispatch.join(call.question.call_group)
        call.waiter.listen(partial(self._hear, call), partial(self._prepare_to_send, call))

    async def learn(self, call: WaveCall, answer: Answer) -> None:
        await self._tools.learn(call.bound, answer)

    async def resume(self, call: WaveCall, listener: CallListener) -> Answer:
        """Goes on with a call that failed: retries it, if the policy says so."""
        question = call.attempts.question = replace(call.question, listener=listener)
        answer = await self._tools.path.answer(question, made=(call.attempts, call.attempt))
        await self.learn(call, answer)
        return answer

    def withdraw(self) -> None:
        """Gives back all calls that are not sent yet. Calls in flight go on."""
        self._give_back(None)

    def refuse(self, refusal: Exception) -> None:
        """Gives back all calls that are not sent yet, and all that are started later."""
        self._refusal = refusal
        self._give_back(refusal)

    def _give_back(self, refusal: Exception | None) -> None:
        unsent = [*self._queued, *self._reserving.values(), *self._ready]
        # First, so that none takes the slot of another.
        for call in unsent:
            _leave_queue(call)
        for call in unsent:
            self._take_back(call)
        # After all have left the queue: the owner may start others in their place.
        for call in unsent:
            self._owner.given_back(call, refusal)

    def cancel(self, call: WaveCall) -> None:
        """Ends a call that was started, wherever it is. One in flight still reports its end."""
        if call in self._sent:
            self._sent[call][1].abort()
        else:
            self._take_back(call)

    def _take_back(self, call: WaveCall) -> None:
        """Ends a call that is not sent. No effect when it is not under way."""
        _leave_queue(call)
        self._queued.discard(call)
        if call in self._ready:
            self._ledger.release(self._ready.pop(call))
        for entry_id in [each for each, other in self._reserving.items() if other is call]:
            # Released when it is written.
            del self._reserving[entry_id]
        if call.attempt.has_slot:
            call.attempt.settle(self._tools.observer, CANCELLED)

    async def stop(self) -> None:
        """Withdraws and cancels all calls. Returns when their charges are on their way."""
        self.withdraw()
        for _, sent in list(self._sent.values()):
            sent.abort()
        while self._sent:
            self._one_ended = asyncio.get_running_loop().create_future()
            await self._one_ended

    def _hear(self, call: WaveCall, news: Waiting | Slot | CallFailed) -> None:
        stopwatch, listener = call.attempts.stopwatch, call.question.listener
        if isinstance(news, Waiting):
            stopwatch.begin(news.reason)
            if listener.on_wait is not None:
                listener.on_wait(news)
            return
        stopwatch.end()
        call.waiter = None
        if isinstance(news, Slot):
            call.attempt.take_slot(news)
            if call in self._queued:
                self._queued.discard(call)
                self._reserve(call)
            elif call in self._ready:
                entry_id = self._ready.pop(call)
                self._reserving[entry_id] = call
                self._ledger.confirm(entry_id, self._reserved)
        else:
            self._take_back(call)
            call.attempt.outcome = news
            self._owner.ended(call)

    def _prepare_to_send(self, call: WaveCall) -> None:
        self._queued.discard(call)
        self._reserve(call)

    def _reserve(self, call: WaveCall) -> None:
        call.began_at = call.question.dispatch.clock()
        intent = call.attempt.intent(leaves_at_once=True)
        self._reserving[self._ledger.reserve(intent, self._written)] = call

    def _written(self, reserved: Reserved) -> None:
        # The first of them waited longest.
        if (call := self._reserving.get(reserved[0][0])) is not None:
            dispatch = call.question.dispatch
            dispatch.look_ahead.note_reserving(dispatch.clock() - call.began_at)
        self._reserved(reserved)

    def _reserved(self, reserved: Reserved) -> None:
        for entry_id, refusal in reserved:
            call = self._reserving.pop(entry_id, None)
            if call is None:
                # Withdrawn in the meantime.
                if refusal is None:
                    self._ledger.release(entry_id)
            elif refusal is not None:
                self._take_back(call)
                self._owner.given_back(call, refusal)
            elif call.attempt.has_slot:
                self._send(entry_id, call)
            else:
                self._ready[call] = entry_id

    def _send(self, entry_id: UUID, call: WaveCall) -> None:
        call.attempt.leave()
        call.began_at = call.question.dispatch.clock()
        on_end = partial(self._end, call)
        sent = call.attempt.begin(on_end) or _TaskCall(call.attempt.complete(), on_end)
        self._sent[call] = entry_id, sent

    def _end(self, call: WaveCall, ending: CallEnd) -> None:
        entry_id, _ = self._sent.pop(call)
        attempt, dispatch = call.attempt, call.question.dispatch
        dispatch.look_ahead.note_call(dispatch.clock() - call.began_at)
        failure: str | None
        if ending is None:
            failure = CANCELLED
        elif isinstance(ending, BaseException):
            call.broken, failure = ending, FailureReason.PROVIDER
        else:
            attempt.outcome = ending
            failure = ending.reason if isinstance(ending, CallFailed) else None
        self._ledger.charge(entry_id, attempt.settle(self._tools.observer, failure))
        if isinstance(attempt.outcome, Completion):
            call.answer = self._tools.path.conclude(call.attempts, attempt)
            # In the commit that charges it: what a killed process leaves is not paid for again.
            self._keep(call.key, call.answer)
        self._owner.ended(call)
        if self._one_ended is not None and not self._one_ended.done():
            self._one_ended.set_result(None)

    def _from_cache(self, call: WaveCall, kept: Completion) -> Answer:
        self._tools.observer.answered_from_cache(
            provider=call.question.provider_key, model=call.question.call.model
        )
        return from_cache(kept, call.key)

    def _keep(self, key: str, answer: Answer) -> None:
        if not isinstance(answer.outcome, Completion):
            return
        cache, now = self._tools.cache, self._kept.now
        if now is not self._times[0]:
            self._times = now, cache.expiry(now)
        self._kept.add(cache.new_answer(key, answer.outcome, now=now, expires_at=self._times[1]))


class _TaskCall:
    """A call in flight whose provider needs a task."""

    def __init__(self, completing: Coroutine[Any, Any, Outcome], on_end: OnEnd) -> None:
        self._on_end = on_end
        self._task = asyncio.create_task(completing)
        self._task.add_done_callback(self._end)

    def abort(self) -> None:
        self._task.cancel()

    def _end(self, task: "asyncio.Task[Outcome]") -> None:
        if task.cancelled():
            self._on_end(None)
        else:
            self._on_end(task.exception() or task.result())


def _leave_queue(call: WaveCall) -> None:
    waiter, call.waiter = call.waiter, None
    if waiter is not None:
        call.question.dispatch.abandon(waiter)
    call.attempts.stopwatch.end()
