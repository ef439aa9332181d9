"""What a call ends in: an answer, or the reason why there is none. Never an exception, since the
run goes on and a person reads it in a cell.
"""

from dataclasses import dataclass
from enum import StrEnum


class FinishReason(StrEnum):
    STOP = "stop"
    LENGTH = "length"
    TOOL_CALLS = "tool_calls"
    CONTENT_FILTER = "content_filter"
    OTHER = "other"


class FailureReason(StrEnum):
    """Stored with outputs; never rename."""

    RATE_LIMIT = "rate_limit"
    INVALID_KEY = "invalid_key"
    QUOTA = "quota"
    TIMEOUT = "timeout"
    CONTENT_FILTER = "content_filter"
    MODEL_NOT_FOUND = "model_not_found"
    CONTEXT_LENGTH = "context_length"
    NETWORK = "network"
    PROVIDER = "provider"
    MALFORMED_RESPONSE = "malformed_response"


class Billed(StrEnum):
    """What a failed call is billed for. `nothing`: the provider refused it with an error status.
    `prompt`: it read the prompt and refused that. `unknown`: any part of an answer.
    """

    NOTHING = "nothing"
    PROMPT = "prompt"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens as the provider counted them. `input_tokens` includes those read from the provider's
    cache and those written into it, `output_tokens` the reasoning ones. `is_estimated`: the
    provider did not say, or had not finished counting when the answer broke off.
    """

    input_tokens: int
    output_tokens: int
    cached_input_tokens: int = 0
    cache_write_tokens: int = 0
    reasoning_tokens: int = 0
    is_estimated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """`arguments` is the model's text, which may not be valid JSON."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TextDelta:
    """The next piece of a streamed answer."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """`redacted` are the kinds of what was taken out of its texts, one for each place."""

    text: str
    finish_reason: FinishReason
    usage: Usage | None
    model: str
    tool_calls: tuple[ToolCall, ...] = ()
    request_id: str | None = None
    ignored_parameters: tuple[str, ...] = ()
    latency_seconds: float = 0
    first_token_seconds: float | None = None
    redacted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CallFailed:
    """`message` is a sentence a user can act on, without secrets or the provider's payload.
    `is_unsent`: the request surely never left, so it cannot have cost anything.
    `billed` is what the provider bills at most, by what its answer says; see `path.accounting`.
    """

    reason: FailureReason
    message: str
    is_retryable: bool
    retry_after_seconds: float | None = None
    request_id: str | None = None
    usage: Usage | None = None
    is_unsent: bool = False
    billed: Billed = Billed.UNKNOWN


Outcome = Completion | CallFailed
Streamed = TextDelta | Completion | CallFailed
