"""The ledger against the provider's own count: for every fault, streamed or not, over retries, the
charge is never below the provider's bill, and equal to it where the provider reported usage.
"""

import asyncio
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from edison.pipeline.generate.addresses import NetworkPolicy
from edison.pipeline.generate.path.dispatch_queue import DispatchQueue
from edison.pipeline.generate.providers.openai_compatible import OpenAICompatible
from tests.fake_providers.billing import (
    COUNTED,
    REFUSALS,
    SLOW,
    Bill,
    BillingProvider,
    Kind,
    billing,
)
from tests.pipeline.generate.path.recording import (
    MAX_TOKENS,
    WORST_NANOS,
    Desk,
    make_question,
)

PATIENT_SECONDS = 20.0
SHORT_SECONDS = 0.15
# Less than the oversized body has.
MAX_BYTES = 100_000


class StandingClock:
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


def open_adapter(provider: BillingProvider) -> OpenAICompatible:
    from edison.pipeline.generate.outbound import OutboundClient

    network = NetworkPolicy(allow_loopback=True)
    adapter = OpenAICompatible.open({"base_url": provider.url}, network=network)
    adapter._outbound = OutboundClient(network, max_response_bytes=MAX_BYTES)
    return adapter


async def ask_all(
    provider: BillingProvider, plan: list[Kind], *, produced: int, is_streamed: bool
) -> list[Charged]:
    """Calls until the plan is used up, with retries, and pairs every attempt with its bill."""
    provider.begin(plan, produced_tokens=produced)
    clock = StandingClock()
    desk = Desk(sleep=clock.sleep)
    adapter = open_adapter(provider)
    timeout_seconds = SHORT_SECONDS if SLOW & set(plan) else PATIENT_SECONDS
    try:
        while len(provider.bills) < len(plan):
            desk.cache.kept.clear()
            dispatch = DispatchQueue(service="OpenAI", clock=clock)
            question = make_question(adapter, dispatch=dispatch, timeout_seconds=timeout_seconds)
            if is_streamed:
                await desk.stream(question)
            else:
                await desk.path.answer(question)
    finally:
        await adapter.close()
    settled = desk.ledger.charged
    assert len(settled) == len(provider.bills)
    return [
        Charged(
            nanos=each.cost_nanos or 0,
            is_estimated=each.usage is not None and each.usage.is_estimated,
            bill=bill,
        )
        for each, bill in zip(settled, provider.bills, strict=True)
    ]


def check(charged: list[Charged]) -> None:
    for each in charged:
        assert each.nanos >= each.billed_nanos, each
        if not each.is_estimated:
            assert each.nanos == each.billed_nanos, each
    assert sum(each.nanos for each in charged) >= sum(each.billed_nanos for each in charged)


@pytest.mark.parametrize("is_streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("kind", list(Kind))
async def test_no_fault_is_charged_below_its_bill(kind: Kind, *, is_streamed: bool) -> None:
    async with billing() as provider:
        charged = await ask_all(provider, [kind], produced=MAX_TOKENS, is_streamed=is_streamed)
    check(charged)
    first = charged[0]
    assert first.bill.is_streamed is is_streamed
    if kind in REFUSALS:
        assert (first.nanos, first.billed_nanos) == (0, 0)
    elif kind in COUNTED:
        assert not first.is_estimated
    else:
        assert first.is_estimated
        assert first.billed_nanos > 0
        assert first.nanos <= WORST_NANOS


@pytest.mark.parametrize("is_streamed", [False, True], ids=["whole", "streamed"])
def test_no_sequence_of_faults_is_charged_below_its_bill(*, is_streamed: bool) -> None:
    quick = [kind for kind in Kind if kind not in SLOW]

    @settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(
        plan=st.lists(st.sampled_from(quick), min_size=1, max_size=5),
        produced=st.integers(1, MAX_TOKENS),
    )
    def each(plan: list[Kind], produced: int) -> None:
        async def through() -> list[Charged]:
            async with billing() as provider:
                return await ask_all(provider, plan, produced=produced, is_streamed=is_streamed)

        check(asyncio.run(through()))

    each()


async def test_a_cancelled_stream_is_charged_at_least_what_the_provider_bills() -> None:
    async with billing() as provider:
        provider.begin([Kind.SLOW_DRIP], produced_tokens=MAX_TOKENS)
        adapter = open_adapter(provider)
        desk = Desk()
        items = desk.path.stream(make_question(adapter))
        await anext(items)
        await items.aclose()
        await adapter.close()
    assert desk.ledger.ends == [("cancelled", WORST_NANOS)]
