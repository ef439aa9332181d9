"""The ledger against the provider's own count: for every fault, streamed or not, over retries, the
charge is never below the provider's bill, and equal to it where the provider reported usage.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from edison.pipeline.generate.addresses import NetworkPolicy
from edison.pipeline.generate.http_provider import HttpProvider
from edison.pipeline.generate.path.dispatch_queue import DispatchQueue
from edison.pipeline.generate.providers.anthropic import Anthropic
from edison.pipeline.generate.providers.azure import Azure
from edison.pipeline.generate.providers.bedrock import Bedrock
from edison.pipeline.generate.providers.ollama import Ollama
from edison.pipeline.generate.providers.openai import OpenAI
from edison.pipeline.generate.providers.openai_compatible import OpenAICompatible
from edison.pipeline.generate.providers.vertex import Vertex
from tests.fake_providers.billing import (
    COUNTED,
    REFUSALS,
    SLOW,
    Bill,
    BillingProvider,
    Kind,
    billing,
)
from tests.fake_providers.billing_dialects import (
    ChatCompletions,
    Converse,
    Dialect,
    Gemini,
    Messages,
    OllamaChat,
)
from tests.fake_providers.vertex import service_account
from tests.pipeline.generate.path.recording import (
    MAX_TOKENS,
    WORST_NANOS,
    Desk,
    make_question,
)
from tests.support.thorough import IS_THOROUGH

PATIENT_SECONDS = 20.0
# Long enough for a request to arrive on a busy machine: without, it is charged but has no bill.
SHORT_SECONDS = 2.0
# Less than the oversized body has.
MAX_BYTES = 100_000


class InstantClock:
    """Does not wait between attempts."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Charged:
    nanos: int
    is_estimated: bool
    bill: Bill

    @property
    def billed_nanos(self) -> int:
        bill = self.bill
        return bill.input_tokens * 1000 + bill.output_tokens * 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """A provider's adapter with the protocol it speaks. `fields` are those of its credential."""

    adapter: type[HttpProvider]
    dialect: Dialect
    fields: Callable[[str], dict[str, Any]]
    model: str = "some-model"
    # Answers of these kinds are charged exactly, not by the worst case.
    counted: frozenset[Kind] = COUNTED - {Kind.NO_CHOICES}

    @asynccontextmanager
    async def open(self, provider: BillingProvider) -> AsyncIterator[HttpProvider]:
        from edison.pipeline.generate.outbound import OutboundClient

        network = NetworkPolicy(allow_loopback=True)
        adapter = self.adapter.open(self.fields(provider.url), network=network)
        adapter._outbound = OutboundClient(network, max_response_bytes=MAX_BYTES)
        try:
            yield adapter
        finally:
            await adapter.close()


AWS_KEYS = {"access_key_id": "AKIAIOSFODNN7EXAMPLE", "secret_access_key": "planted-secret"}
COMPATIBLE = Service(
    adapter=OpenAICompatible,
    dialect=ChatCompletions(),
    fields=lambda url: {"base_url": url},
    counted=COUNTED,
)
SERVICES = {
    "compatible": COMPATIBLE,
    "openai": Service(
        adapter=OpenAI,
        dialect=ChatCompletions(),
        fields=lambda url: {"api_key": "sk-planted", "base_url": f"{url}/v1"},
    ),
    "azure": Service(
        adapter=Azure,
        dialect=ChatCompletions(),
        fields=lambda url: {"api_key": "planted", "endpoint": url},
    ),
    "anthropic": Service(
        adapter=Anthropic,
        dialect=Messages(),
        fields=lambda url: {"api_key": "sk-ant-planted", "base_url": url},
    ),
    "vertex": Service(
        adapter=Vertex,
        dialect=Gemini(),
        fields=lambda url: {
            "service_account": service_account(f"{url}/token"),
            "base_url": url,
        },
    ),
    "bedrock": Service(
        adapter=Bedrock,
        dialect=Converse(),
        fields=lambda url: {"endpoint_url": url, "region": "eu-west-1", **AWS_KEYS},
        model="amazon.nova-lite-v1:0",
    ),
    "ollama": Service(adapter=Ollama, dialect=OllamaChat(), fields=lambda url: {"base_url": url}),
}


# Opening most adapters takes a second: `make torture` tries the sequences on all of them.
SEQUENCES = SERVICES if IS_THOROUGH else ["compatible"]


async def ask_all(
    service: Service,
    adapter: HttpProvider,
    provider: BillingProvider,
    plan: list[Kind],
    *,
    produced: int,
    is_streamed: bool,
) -> list[Charged]:
    """Calls until the plan is used up, with retries, and pairs every attempt with its bill."""
    provider.begin(plan, produced_tokens=produced)
    clock = InstantClock()
    desk = Desk(sleep=clock.sleep)
    timeout_seconds = SHORT_SECONDS if SLOW & set(plan) else PATIENT_SECONDS
    while len(provider.bills) < len(plan):
        desk.cache.kept.clear()
        question = make_question(
            adapter,
            dispatch=DispatchQueue(service="OpenAI", clock=clock),
            timeout_seconds=timeout_seconds,
            model=service.model,
        )
        if is_streamed:
            await desk.stream(question)
        else:
            await desk.path.answer(question)
    costs = desk.ledger.charged
    assert len(costs) == len(provider.bills)
    return [
        Charged(
            nanos=each.cost_nanos or 0,
            is_estimated=each.usage is not None and each.usage.is_estimated,
            bill=bill,
        )
        for each, bill in zip(costs, provider.bills, strict=True)
    ]


def check(charged: list[Charged]) -> None:
    for each in charged:
        assert each.nanos >= each.billed_nanos, each
        if not each.is_estimated:
            assert each.nanos == each.billed_nanos, each
    assert sum(each.nanos for each in charged) >= sum(each.billed_nanos for each in charged)


def check_fault(service: Service, kind: Kind, charged: list[Charged]) -> None:
    check(charged)
    first = charged[0]
    if kind in REFUSALS:
        assert (first.nanos, first.billed_nanos) == (0, 0), kind
    elif kind in service.counted:
        assert not first.is_estimated, kind
    else:
        assert first.billed_nanos > 0, kind
        assert first.nanos <= WORST_NANOS, kind


@pytest.mark.parametrize("is_streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("name", SERVICES)
async def test_no_fault_is_charged_below_its_bill(name: str, *, is_streamed: bool) -> None:
    service = SERVICES[name]
    async with billing(service.dialect) as provider, service.open(provider) as adapter:
        for kind in Kind:
            charged = await ask_all(
                service, adapter, provider, [kind], produced=MAX_TOKENS, is_streamed=is_streamed
            )
            assert charged[0].bill.is_streamed is is_streamed
            check_fault(service, kind, charged)


@pytest.mark.parametrize("is_streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("name", SEQUENCES)
def test_no_sequence_of_faults_is_charged_below_its_bill(name: str, *, is_streamed: bool) -> None:
    service = SERVICES[name]
    quick = [kind for kind in Kind if kind not in SLOW]

    @settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(
        plan=st.lists(st.sampled_from(quick), min_size=1, max_size=5),
        produced=st.integers(1, MAX_TOKENS),
    )
    def each(plan: list[Kind], produced: int) -> None:
        async def through() -> list[Charged]:
            async with billing(service.dialect) as provider, service.open(provider) as adapter:
                return await ask_all(
                    service, adapter, provider, plan, produced=produced, is_streamed=is_streamed
                )

        check(asyncio.run(through()))

    each()


async def test_a_cancelled_stream_is_charged_at_least_what_the_provider_bills() -> None:
    async with billing(COMPATIBLE.dialect) as provider, COMPATIBLE.open(provider) as adapter:
        provider.begin([Kind.SLOW_DRIP], produced_tokens=MAX_TOKENS)
        desk = Desk()
        items = desk.path.stream(make_question(adapter))
        await anext(items)
        await items.aclose()
    assert desk.ledger.ends == [("cancelled", WORST_NANOS)]
