"""A ledger, a cache and an observer that record everything, and questions for tests."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from edison.kit.errors import Conflict, Exhausted
from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.outcome import Billed, CallFailed, Completion, FailureReason
from edison.pipeline.generate.path.call_path import CallPath
from edison.pipeline.generate.path.dispatch_queue import DispatchQueue
from edison.pipeline.generate.path.ports import AttemptCost, AttemptReport, Intent
from edison.pipeline.generate.path.question import Answer, Item, Question
from edison.pipeline.generate.path.retry import RetryPolicy
from edison.pipeline.generate.prices import Prices, Rate
from edison.pipeline.generate.provider import Provider
from tests.pipeline.generate.asking import make_call
from tests.support.virtual_time import virtual_now

# A thousand nano-dollars per input token, two thousand per output token.
PRICES = Prices(
    input=Rate(nanos_per_million=1_000_000_000),
    output=Rate(nanos_per_million=2_000_000_000),
    version="test-1",
)
INPUT_TOKENS = 100
MAX_TOKENS = 50
PROMPT_NANOS = INPUT_TOKENS * 1000
REFUSALS = frozenset(
    {
        FailureReason.RATE_LIMIT,
        FailureReason.INVALID_KEY,
        FailureReason.QUOTA,
        FailureReason.MODEL_NOT_FOUND,
        FailureReason.CONTEXT_LENGTH,
        FailureReason.PROVIDER,
    }
)
WORST_NANOS = PROMPT_NANOS + MAX_TOKENS * 2000


@dataclass(eq=False)
class RecordedReservation:
    intent: Intent
    charges: list[AttemptCost] = field(default_factory=list)
    is_taken_over: bool = False

    async def confirm(self) -> None:
        if self.is_taken_over:
            raise Conflict("Someone else makes this call.")

    def charge(self, cost: AttemptCost) -> None:
        self.charges.append(cost)


@dataclass
class RecordingLedger:
    """Reserves money for `budget` attempts, then refuses."""

    budget: int = 1_000_000
    delay_seconds: float = 0
    is_taken_over: bool = False
    reservations: list[RecordedReservation] = field(default_factory=list)

    async def reserve(self, intent: Intent) -> RecordedReservation:
        await asyncio.sleep(self.delay_seconds)
        if len(self.reservations) >= self.budget:
            raise Exhausted("The budget is used up.")
        reservation = RecordedReservation(intent, is_taken_over=self.is_taken_over)
        self.reservations.append(reservation)
        return reservation

    @property
    def charged(self) -> list[AttemptCost]:
        """One cost per reservation; fails when there is none, or more than one."""
        counts = {len(each.charges) for each in self.reservations}
        assert counts <= {1}, [each.charges for each in self.reservations]
        return [each.charges[0] for each in self.reservations]

    @property
    def ends(self) -> list[tuple[str | None, int | None]]:
        return [(each.failure, each.cost_nanos) for each in self.charged]


@dataclass
class RecordingObserver:
    reports: list[AttemptReport] = field(default_factory=list)
    waits: list[tuple[str, float]] = field(default_factory=list)
    from_cache: int = 0

    def attempt_ended(self, report: AttemptReport) -> None:
        self.reports.append(report)

    def answered_from_cache(self, *, provider: str, model: str) -> None:
        self.from_cache += 1

    def waited(self, *, provider: str, reason: str, seconds: float) -> None:
        self.waits.append((reason, seconds))


class MemoryCache:
    def __init__(self) -> None:
        self.kept: dict[str, Completion] = {}

    async def find(self, key: str) -> Completion | None:
        return self.kept.get(key)

    def save(self, key: str, completion: Completion) -> None:
        self.kept[key] = completion


@dataclass
class Desk:
    """A call path with everything recorded. Jitter is off, so waits are exact."""

    ledger: RecordingLedger = field(default_factory=RecordingLedger)
    cache: MemoryCache = field(default_factory=MemoryCache)
    observer: RecordingObserver = field(default_factory=RecordingObserver)
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    @property
    def path(self) -> CallPath:
        return CallPath(
            sleep=self.sleep,
            cache=self.cache,
            ledger=self.ledger,
            observer=self.observer,
            retry=self.retry,
            luck=lambda: 0.5,
        )

    async def stream(self, question: Question) -> tuple[list[Item], Answer]:
        *before, last = [item async for item in self.path.stream(question)]
        assert isinstance(last, Answer)
        assert not any(isinstance(item, Answer) for item in before)
        return before, last


def virtual_queue(**settings: Any) -> DispatchQueue:
    return DispatchQueue(**{"service": "OpenAI", "clock": virtual_now, **settings})


def make_question(
    provider: Provider, *, dispatch: DispatchQueue | None = None, **rest: Any
) -> Question:
    call = {"timeout_seconds": 60.0}
    call |= {key: rest.pop(key) for key in ("model", "timeout_seconds", "messages") if key in rest}
    parameters = rest.pop("parameters", Parameters(max_tokens=MAX_TOKENS))
    return Question(
        **{
            "provider": provider,
            "provider_key": "openai",
            "service": "OpenAI",
            "endpoint": "https://api.example.org",
            "dispatch": dispatch or virtual_queue(),
            "call": make_call(parameters=parameters, **call),
            "prices": PRICES,
            "input_tokens": INPUT_TOKENS,
            **rest,
        }
    )


def failure(
    reason: FailureReason = FailureReason.PROVIDER,
    *,
    is_retryable: bool = True,
    retry_after_seconds: float | None = None,
    **rest: Any,
) -> CallFailed:
    """As providers report it: refusals have an error status and are not billed."""
    rest.setdefault("billed", Billed.NOTHING if reason in REFUSALS else Billed.UNKNOWN)
    return CallFailed(
        reason=reason,
        message="It failed.",
        is_retryable=is_retryable,
        retry_after_seconds=retry_after_seconds,
        **rest,
    )
