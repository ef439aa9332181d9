"""The only way to call a model: cache, reserve, wait in the dispatch queue, attempt, charge, store.

Each attempt reserves its worst case before the request is sent, and is charged or released exactly
once however it ends: answered, failed, cancelled, abandoned by the reader of its stream, or broken
by a bug. Only the retry policy decides on retries; a retry during a stream yields `Restarted`,
which voids the text streamed so far.
"""

import asyncio
import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import replace

from edison.pipeline.generate.outcome import CallFailed, Completion, TextDelta
from edison.pipeline.generate.path.attempt import Attempt
from edison.pipeline.generate.path.cache_key import cache_key
from edison.pipeline.generate.path.ports import AnswerCache, Ledger, Observer, Waiting
from edison.pipeline.generate.path.question import (
    Answer,
    CacheMode,
    Item,
    Question,
    Redaction,
    Restarted,
)
from edison.pipeline.generate.path.retry import AttemptSeries, RetryPolicy

# All attempts of a question so far, and the last of them, which has ended.
MadeAttempt = tuple[AttemptSeries, Attempt]


class CallPath:
    """Stateless and cheap to create. State shared between calls is in their dispatch queues."""

    def __init__(
        self,
        *,
        cache: AnswerCache | None,
        ledger: Ledger,
        observer: Observer,
        retry: RetryPolicy | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        luck: Callable[[], float] = random.random,
    ) -> None:
        self._cache = cache
        self._ledger = ledger
        self._observer = observer
        self._retry = retry or RetryPolicy()
        self._sleep = sleep
        self._luck = luck

    async def answer(self, question: Question, *, made: MadeAttempt | None = None) -> Answer:
        """Runs the question to its end. With a redaction, the listener's `on_text` is never called:
        the answer is not streamed. `made` is the first attempt, if a wave has made it.
        """
        on_wait, on_text = question.listener.on_wait, question.listener.on_text
        is_streamed = on_text is not None and question.redaction is None
        async with aclosing(self._run(question, is_streamed=is_streamed, made=made)) as items:
            async for item in items:
                if isinstance(item, Answer):
                    return item
                if isinstance(item, Waiting):
                    if on_wait is not None:
                        on_wait(item)
                elif on_text is not None:
                    on_text(item)
        raise RuntimeError("A question ended without an answer.")

    def conclude(self, attempts: AttemptSeries, attempt: Attempt) -> Answer:
        """The answer of a question whose last attempt ended in a completion. Does not cache it."""
        attempts.judge(attempt, self._retry, self._luck())
        return attempts.answer()

    def stream(self, question: Question) -> AsyncGenerator[Item]:
        """Yields pieces of text and reasons to wait, then exactly one Answer as the last item.
        Close the generator (`contextlib.aclosing`) to cancel the call at once.
        """
        if question.redaction is not None:
            return self._in_one_piece(question)
        return self._run(question, is_streamed=True)

    async def _in_one_piece(self, question: Question) -> AsyncGenerator[Item]:
        """Does not stream from the provider: only a complete answer can be redacted."""
        async with aclosing(self._run(question, is_streamed=False)) as items:
            async for item in items:
                if isinstance(item, Answer) and isinstance(item.outcome, Completion):
                    yield TextDelta(text=item.outcome.text)
                yield item

    async def _run(
        self, question: Question, *, is_streamed: bool, made: MadeAttempt | None = None
    ) -> AsyncGenerator[Item]:
        """`made` is an attempt that was made already, after the cache was asked."""
        if made is None:
            key = key_of(question)
            kept = await self._find(question, key)
            if kept is not None:
                if is_streamed and kept.text:
                    yield TextDelta(text=kept.text)
                yield from_cache(kept, key)
                return
            attempts, attempt = AttemptSeries(question, key, self._observer), None
        else:
            attempts, attempt = made
        while attempts.outcome is None:
            if attempt is None:
                attempt = attempts.begin(is_streamed=is_streamed)
                async with aclosing(attempt.run(self._ledger, self._observer)) as items:
                    async for item in items:
                        yield item
            pause = attempts.judge(attempt, self._retry, self._luck())
            if pause is not None:
                if attempt.has_shown_text:
                    yield Restarted(attempt=attempts.attempts + 1)
                with attempts.stopwatch.timing(pause.reason):
                    yield pause
                    await self._sleep(pause.seconds or 0)
            attempt = None
        answer = await _redacted(attempts.answer(), question.redaction)
        if self._cache is not None and isinstance(answer.outcome, Completion):
            self._cache.save(answer.cache_key, answer.outcome)
        yield answer

    async def _find(self, question: Question, key: str) -> Completion | None:
        if self._cache is None or question.cache is CacheMode.BYPASS:
            return None
        kept = await self._cache.find(key)
        if kept is not None:
            self._observer.answered_from_cache(
                provider=question.provider_key, model=question.call.model
            )
        return kept


async def _redacted(answer: Answer, redaction: Redaction | None) -> Answer:
    outcome = answer.outcome
    if redaction is None:
        return answer
    if isinstance(outcome, CallFailed):
        # It may quote the prompt or a part of the answer.
        return replace(answer, outcome=replace(outcome, provider_text=None))
    return replace(answer, outcome=await redaction.apply(outcome))


def key_of(question: Question) -> str:
    return cache_key(
        provider=question.provider_key,
        endpoint=question.endpoint,
        call=question.call,
        redaction=None if question.redaction is None else question.redaction.name,
    )


def from_cache(kept: Completion, key: str) -> Answer:
    return Answer(
        outcome=kept,
        attempts=0,
        cost_nanos=0,
        is_cached=True,
        waited_seconds=0,
        price_version=None,
        cache_key=key,
    )
