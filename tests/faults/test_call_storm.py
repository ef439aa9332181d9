"""Thousands of calls to services that fail in every way: all end, every reservation is charged or
released exactly once, and dispatch queues return to their full width.
"""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from edison.pipeline.generate.addresses import NetworkPolicy
from edison.pipeline.generate.outcome import CallFailed, FailureReason
from edison.pipeline.generate.path.circuit_breaker import CircuitBreaker
from edison.pipeline.generate.path.dispatch_queue import DispatchQueue
from edison.pipeline.generate.path.question import Answer, Question
from edison.pipeline.generate.path.retry import RetryPolicy
from edison.pipeline.generate.provider import Provider
from edison.pipeline.generate.providers.openai_compatible import OpenAICompatible
from edison.pipeline.generate.providers.scripted import Scripted
from edison.pipeline.generate.providers.sim import Sim
from edison.pipeline.render.prompt import Message
from tests.fake_providers import openai, scripted_server
from tests.fake_providers.scripted_server import Reply, ScriptedServer, Silence, Stream
from tests.pipeline.generate.path.recording import PRICES, Desk, make_question, virtual_queue
from tests.support.thorough import rounds
from tests.support.virtual_time import in_virtual_time

CALLS = rounds(600, thorough=2_000)
CONCURRENCY = 100


class Storm:
    """Calls, streams and cancels, and records how each call ended."""

    def __init__(self, dispatch: DispatchQueue, desk: Desk, *, seed: int) -> None:
        self.desk = desk
        self.dispatch = dispatch
        self.luck = random.Random(seed)  # noqa: S311 - a test's dice
        self.ends: Counter[str] = Counter()
        self.costs_nanos = 0

    async def rage(self, provider: Provider, *, model: str, timeout_seconds: float) -> None:
        numbers = iter(range(CALLS))

        async def work() -> None:
            for number in numbers:
                question = make_question(
                    provider,
                    dispatch=self.dispatch,
                    model=model,
                    messages=(Message(role="user", text=f"Question {number}?"),),
                    timeout_seconds=timeout_seconds,
                )
                await self._ask(question)

        await asyncio.gather(*(work() for _ in range(CONCURRENCY)))

    @property
    def failures(self) -> set[FailureReason]:
        outcomes = [report.outcome for report in self.desk.observer.reports]
        return {each.reason for each in outcomes if isinstance(each, CallFailed)}

    async def _ask(self, question: Question) -> None:
        way = self.luck.random()
        if way < 0.5:
            self._note(await self.desk.path.answer(question))
        elif way < 0.9:
            self._note((await self.desk.stream(question))[1])
        elif way < 0.95:
            async with aclosing(self.desk.path.stream(question)) as items:
                await anext(items)
            self.ends["left"] += 1
        else:
            task = asyncio.create_task(self.desk.path.answer(question))
            await asyncio.sleep(self.luck.random() * 0.02)
            task.cancel()
            await asyncio.wait([task])
            self.ends["cancelled"] += 1

    def _note(self, answer: Answer) -> None:
        outcome = answer.outcome
        self.ends[outcome.reason if isinstance(outcome, CallFailed) else "answered"] += 1
        assert answer.cost_nanos is not None
        self.costs_nanos += answer.cost_nanos

    def check(self) -> None:
        assert self.ends.total() == CALLS
        assert self.ends["answered"] > CALLS / 2
        settled = self.desk.ledger.charged
        for cost in settled:
            owed = 0 if cost.usage is None else PRICES.cost_nanos(cost.usage)
            assert cost.cost_nanos == owed
        assert sum(each.cost_nanos or 0 for each in settled) >= self.costs_nanos > 0
        answered = [each for each in settled if each.failure is None]
        assert len(answered) == len(self.desk.cache.kept) >= self.ends["answered"]
        assert (self.dispatch.state.under_way, self.dispatch.state.waiting) == (0, 0)

    async def calm(self) -> None:
        """Successful calls bring the dispatch queue back to its full width."""
        assert self.dispatch.state.size < CONCURRENCY
        steady = Scripted(answers=("Yes.",), is_repeated=True)
        for number in range(CONCURRENCY * CONCURRENCY):
            await self.desk.path.answer(
                make_question(steady, dispatch=self.dispatch, model=f"steady-{number}")
            )
            if self.dispatch.state.size == CONCURRENCY:
                return
        raise AssertionError(self.dispatch.state)


@in_virtual_time
async def test_charges_are_exact_after_many_simulated_faults() -> None:
    storm = Storm(virtual_queue(concurrency=CONCURRENCY, patience_seconds=1e9), Desk(), seed=1)
    await storm.rage(
        Sim(
            latency_scale=0.01,
            rate_limit_rate=0.05,
            timeout_rate=0.05,
            server_error_rate=0.05,
            malformed_rate=0.05,
            content_filter_rate=0.05,
            truncated_rate=0.05,
        ),
        model="sim-small",
        timeout_seconds=60,
    )
    storm.check()
    assert storm.failures == {
        FailureReason.RATE_LIMIT,
        FailureReason.TIMEOUT,
        FailureReason.PROVIDER,
        FailureReason.MALFORMED_RESPONSE,
        FailureReason.CONTENT_FILTER,
        FailureReason.NETWORK,
    }
    await storm.calm()


FAULTS: tuple[Reply, ...] = (
    openai.error(429),
    openai.error(429, retry_after_ms="20"),
    openai.error(500),
    openai.error(503),
    openai.error(401),
    openai.error(400, code="content_filter"),
    openai.error(400, code="context_length_exceeded"),
    scripted_server.Answer(body=b"<html>"),
    scripted_server.Answer(body={"choices": []}),
    Stream(pieces=[openai.chunk({"content": "Par"})], then="reset"),
    Stream(pieces=[openai.chunk({"content": "Par"}), b"data: {oops\n\n"]),
    Silence(),
)


class StormyServer(ScriptedServer):
    """Fails three calls in ten."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._luck = random.Random(seed)  # noqa: S311 - a test's dice

    async def handle(self, request: web.Request) -> web.StreamResponse:
        is_bad = self._luck.random() < 0.3
        self.script(self._luck.choice(FAULTS) if is_bad else openai.completion())
        return await super().handle(request)


@pytest.fixture
async def stormy_url() -> AsyncIterator[str]:
    application = web.Application()
    application.router.add_route("*", "/{path:.*}", StormyServer(seed=2).handle)
    server = TestServer(application)
    await server.start_server(shutdown_timeout=0)
    yield str(server.make_url("/"))
    await server.close()


async def test_charges_are_exact_after_many_real_faults(stormy_url: str) -> None:
    dispatch = DispatchQueue(
        service="OpenAI",
        concurrency=CONCURRENCY,
        breaker=CircuitBreaker(open_seconds=0.02),
        patience_seconds=1e9,
    )
    retry = RetryPolicy(first_delay_seconds=0.001)
    storm = Storm(dispatch, Desk(retry=retry), seed=2)
    provider = OpenAICompatible.open(
        {"base_url": stormy_url}, network=NetworkPolicy(allow_loopback=True)
    )
    await storm.rage(provider, model="gpt-x", timeout_seconds=0.3)
    await provider.close()
    storm.check()
    assert storm.failures >= {
        FailureReason.RATE_LIMIT,
        FailureReason.TIMEOUT,
        FailureReason.PROVIDER,
        FailureReason.INVALID_KEY,
        FailureReason.CONTEXT_LENGTH,
        FailureReason.MALFORMED_RESPONSE,
        FailureReason.CONTENT_FILTER,
        FailureReason.NETWORK,
    }
    await storm.calm()
