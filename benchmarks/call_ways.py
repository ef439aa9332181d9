"""The compared ways to call a model, each as a function of a sequence number."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import aiohttp
import orjson

from edison.pipeline.generate import catalog
from edison.pipeline.generate.addresses import NetworkPolicy
from edison.pipeline.generate.call import Call, Parameters
from edison.pipeline.generate.outcome import Completion
from edison.pipeline.generate.path.call_path import CallPath
from edison.pipeline.generate.path.dispatch_queue import DispatchQueue
from edison.pipeline.generate.path.ports import AttemptCost, AttemptReport, Intent
from edison.pipeline.generate.path.question import Question
from edison.pipeline.generate.prices import Prices, Rate
from edison.pipeline.generate.provider import Provider
from edison.pipeline.render.prompt import Message, RenderedPrompt

SYSTEM = "You are a helpful assistant. Answer in one sentence. " * 8
PRICES = Prices(
    input=Rate(nanos_per_million=2_500_000_000),
    output=Rate(nanos_per_million=10_000_000_000),
    version="benchmark",
)
MakeCall = Callable[[int], Awaitable[None]]
Way = Callable[[str, int], AbstractAsyncContextManager[MakeCall]]


def _call(number: int) -> Call:
    return Call(
        model="gpt-x",
        prompt=RenderedPrompt(
            messages=(Message(role="user", text=f"Question {number}: what is the capital?"),),
            system=SYSTEM,
        ),
        parameters=Parameters(temperature=0.2, max_tokens=256),
    )


class MemoryLedger:
    """An in-memory ledger."""

    def __init__(self) -> None:
        self.reserved_nanos = 0
        self.spent_nanos = 0

    async def reserve(self, intent: Intent) -> "MemoryReservation":
        amount = intent.worst_case_nanos or 0
        self.reserved_nanos += amount
        return MemoryReservation(self, amount)


class MemoryReservation:
    def __init__(self, ledger: MemoryLedger, amount: int) -> None:
        self._ledger = ledger
        self._amount = amount

    async def confirm(self) -> None: ...

    def charge(self, cost: AttemptCost) -> None:
        self._ledger.reserved_nanos -= self._amount
        self._ledger.spent_nanos += cost.cost_nanos or 0


class EmptyCache:
    async def find(self, key: str) -> Completion | None:
        return None

    def save(self, key: str, completion: Completion) -> None: ...


class Counter:
    def __init__(self) -> None:
        self.attempts = 0

    def attempt_ended(self, report: AttemptReport) -> None:
        self.attempts += 1

    def answered_from_cache(self, *, provider: str, model: str) -> None: ...

    def waited(self, *, provider: str, reason: str, seconds: float) -> None: ...


@asynccontextmanager
async def bare(url: str, concurrency: int) -> AsyncIterator[MakeCall]:
    """The lower bound: aiohttp and JSON only."""
    headers = {"Content-Type": "application/json", "Authorization": "Bearer k"}
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def make(number: int) -> None:
            body = {
                "model": "gpt-x",
                "messages": [
                    {"role": "system", "content": SYSTEM},
                    {"role": "user", "content": f"Question {number}: what is the capital?"},
                ],
                "temperature": 0.2,
                "max_tokens": 256,
            }
            async with session.post(
                f"{url}/chat/completions", data=orjson.dumps(body), headers=headers
            ) as response:
                document = orjson.loads(await response.read())
            assert document["choices"][0]["message"]["content"]

        yield make


def adapter(key: str, settings: Mapping[str, Any]) -> Way:
    """A provider without the call path."""

    @asynccontextmanager
    async def way(url: str, concurrency: int) -> AsyncIterator[MakeCall]:
        provider = _open(key, {**settings, "base_url": url})

        async def make(number: int) -> None:
            outcome = await provider.complete(_call(number))
            assert isinstance(outcome, Completion), outcome

        yield make
        await provider.close()

    return way


def whole_path(key: str, settings: Mapping[str, Any]) -> Way:
    """The complete call path."""

    @asynccontextmanager
    async def way(url: str, concurrency: int) -> AsyncIterator[MakeCall]:
        provider = _open(key, {**settings, "base_url": url})
        ledger, observer = MemoryLedger(), Counter()
        dispatch = DispatchQueue(service="Benchmark", concurrency=concurrency)
        path = CallPath(cache=EmptyCache(), ledger=ledger, observer=observer)

        async def make(number: int) -> None:
            question = Question(
                provider=provider,
                provider_key=key,
                service="Benchmark",
                endpoint=url,
                dispatch=dispatch,
                call=_call(number),
                prices=PRICES,
                input_tokens=120,
            )
            answer = await path.answer(question)
            assert isinstance(answer.outcome, Completion), answer

        yield make
        await provider.close()
        assert ledger.reserved_nanos == 0
        assert ledger.spent_nanos > 0

    return way


def _open(key: str, settings: Mapping[str, Any]) -> Provider:
    network = NetworkPolicy(allow_loopback=True)
    return catalog.load_provider(key).open(settings, network=network)


KEY = {"api_key": "k"}
WAYS: Mapping[str, Way] = {
    "Bare aiohttp": bare,
    "Lean adapter": adapter("openai_compatible", KEY),
    "Whole call path, lean": whole_path("openai_compatible", KEY),
    "OpenAI by pydantic-ai": adapter("openai", KEY),
    "Whole call path, OpenAI": whole_path("openai", KEY),
    "Anthropic by pydantic-ai": adapter("anthropic", KEY),
    "Whole call path, Anthropic": whole_path("anthropic", KEY),
}
