"""What the call path is asked, and how it ends."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum

from edison.pipeline.generate.call import Call
from edison.pipeline.generate.outcome import CallFailed, Completion, Outcome, TextDelta, Usage
from edison.pipeline.generate.path.dispatch_queue import DispatchQueue
from edison.pipeline.generate.path.fair_queue import NO_GROUP, CallGroup
from edison.pipeline.generate.path.ports import Waiting
from edison.pipeline.generate.prices import Prices
from edison.pipeline.generate.provider import Provider

# How long an answer may get that nobody bounds, when the model's own limit is unknown.
UNBOUNDED_TOKENS = 4096


class CacheMode(StrEnum):
    """`bypass` asks the model anew and keeps the new answer."""

    USE = "use"
    BYPASS = "bypass"


@dataclass(frozen=True, slots=True, kw_only=True)
class Redaction:
    """What is taken out of an answer before anybody sees it. Answers are kept apart by `name`: one
    who wants them whole is never given one without its parts, nor the other way round.
    """

    name: str
    apply: Callable[[Completion], Awaitable[Completion]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A call, and all that is known about whom it asks.

    `service` is the provider's title for people; `endpoint` tells apart servers with models of the
    same name; `input_tokens` were counted beforehand; `max_output_tokens` is the model's own limit,
    for calls that set none; `call_group` shares turns in the dispatch queue; `on_leave` fires
    before each attempt is sent.
    """

    provider: Provider
    provider_key: str
    service: str
    endpoint: str
    dispatch: DispatchQueue
    call: Call
    prices: Prices | None
    input_tokens: int
    max_output_tokens: int | None = None
    cache: CacheMode = CacheMode.USE
    call_group: CallGroup = NO_GROUP
    on_leave: Callable[[], None] | None = None
    redaction: Redaction | None = None

    @property
    def max_tokens(self) -> int:
        """How long the answer may get."""
        return self.call.parameters.max_tokens or self.max_output_tokens or UNBOUNDED_TOKENS


@dataclass(frozen=True, slots=True, kw_only=True)
class Restarted:
    """What was streamed so far is void: the answer begins anew with this attempt."""

    attempt: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """How a question ended. `attempts` counts those that reached the provider. `cost_nanos` sums
    them all up; it is None when one that is charged has no price. `usage` is the last attempt's,
    and is also in the outcome.
    """

    outcome: Outcome
    attempts: int
    cost_nanos: int | None
    usage: Usage | None
    is_cached: bool
    waited_seconds: float
    price_version: str | None
    cache_key: str


def unsent(failure: CallFailed) -> Answer:
    """Nothing was asked, so nothing was spent."""
    return Answer(
        outcome=failure,
        attempts=0,
        cost_nanos=0,
        usage=None,
        is_cached=False,
        waited_seconds=0,
        price_version=None,
        cache_key="",
    )


Item = TextDelta | Waiting | Restarted | Answer
