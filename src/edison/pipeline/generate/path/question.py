"""Input and result types of the call path."""

from collections.abc import Awaitable, Callable
from enum import StrEnum

from edison.kit.fast_frozen import fast_frozen
from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.generate.call import Call
from edison.pipeline.generate.outcome import CallFailed, Completion, Outcome, TextDelta, Usage
from edison.pipeline.generate.path.dispatch_queue import DispatchQueue
from edison.pipeline.generate.path.fair_queue import NO_GROUP, CallGroup
from edison.pipeline.generate.path.ports import Waiting
from edison.pipeline.generate.prices import Prices
from edison.pipeline.generate.provider import Provider

# Max tokens of an answer when neither the call nor the model sets a limit.
UNBOUNDED_TOKENS = 4096


class CacheMode(StrEnum):
    """`bypass` calls the model even if an answer is cached, and caches the new answer."""

    USE = "use"
    BYPASS = "bypass"


@dataclass(frozen=True, slots=True, kw_only=True)
class Redaction:
    """Removes sensitive text from an answer before it is stored or shown. `name` is part of the
    cache key: redacted and unredacted answers are never exchanged.
    """

    name: str
    apply: Callable[[Completion], Awaitable[Completion]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Restarted:
    """Voids the text streamed so far: the answer starts over with this attempt."""

    attempt: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CallListener:
    """Follows a call. `on_wait` receives each reason to wait, `on_leave` is called before each
    attempt is sent, `on_text` receives each piece of the answer. Without `on_text` the answer is
    not streamed.
    """

    on_wait: Callable[[Waiting], None] | None = None
    on_leave: Callable[[], None] | None = None
    on_text: Callable[[TextDelta | Restarted], None] | None = None


NO_LISTENER = CallListener()


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A call, with its provider, dispatch queue and prices.

    `service` is the provider's display name; `endpoint` distinguishes servers whose models have the
    same name; `input_tokens` is an upper bound of the prompt, and `counted_tokens` Edison's own
    count; `max_output_tokens` is the model's own limit, for calls that set none; `call_group`
    shares turns in the dispatch queue.
    """

    provider: Provider
    provider_key: str
    service: str
    endpoint: str
    dispatch: DispatchQueue
    call: Call
    prices: Prices | None
    input_tokens: int
    counted_tokens: int | None = None
    max_output_tokens: int | None = None
    cache: CacheMode = CacheMode.USE
    call_group: CallGroup = NO_GROUP
    listener: CallListener = NO_LISTENER
    redaction: Redaction | None = None

    @property
    def max_tokens(self) -> int:
        """Max tokens of the answer."""
        return self.call.parameters.max_tokens or self.max_output_tokens or UNBOUNDED_TOKENS


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Outcome of a question, and what it took. `attempts` counts attempts that were sent.
    `cost_nanos` is the sum over all attempts, and None when a charged attempt has no price.
    """

    outcome: Outcome
    attempts: int
    cost_nanos: int | None
    is_cached: bool
    waited_seconds: float
    price_version: str | None
    cache_key: str

    @property
    def usage(self) -> Usage | None:
        """Usage of the last attempt."""
        return self.outcome.usage


def unsent(failure: CallFailed) -> Answer:
    """Answer of a question that failed before any attempt: no attempts, no cost."""
    return Answer(
        outcome=failure,
        attempts=0,
        cost_nanos=0,
        is_cached=False,
        waited_seconds=0,
        price_version=None,
        cache_key="",
    )


Item = TextDelta | Waiting | Restarted | Answer
