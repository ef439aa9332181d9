"""Outcome of a call: a completion or a failure. Failures are values, not exceptions, because the
run continues and the cell shows the reason.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Self

from edison.kit.fast_frozen import fast_frozen
from edison.kit.lazy_dataclasses import dataclass


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
    TEMPLATE = "template"


class Billed(StrEnum):
    """Upper bound of what the provider bills for a failed call. `nothing`: rejected with an error
    status. `prompt`: the prompt was read and rejected. `unknown`: any part of an answer.
    """

    NOTHING = "nothing"
    PROMPT = "prompt"
    UNKNOWN = "unknown"


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens as the provider counted them. `input_tokens` includes tokens read from and written to
    the provider's cache; `output_tokens` includes reasoning tokens. `is_estimated`: the provider
    did not report a count, or had not finished counting when the answer was cut off.
    """

    input_tokens: int
    output_tokens: int
    cached_input_tokens: int = 0
    cache_write_tokens: int = 0
    reasoning_tokens: int = 0
    is_estimated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """`arguments` is the model's text, which may be invalid JSON."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TextDelta:
    """The next piece of a streamed answer."""

    text: str


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """`request_id` is the provider's id of the request, from a header; `response_id` the id of the
    answer, from its body. `redacted` lists the kinds of text removed from the answer, one per
    occurrence.
    """

    text: str
    finish_reason: FinishReason
    usage: Usage | None
    model: str
    tool_calls: tuple[ToolCall, ...] = ()
    request_id: str | None = None
    response_id: str | None = None
    ignored_parameters: tuple[str, ...] = ()
    latency_seconds: float = 0
    first_token_seconds: float | None = None
    redacted: tuple[str, ...] = ()

    @classmethod
    def restored(cls, stored: Mapping[str, Any]) -> Self:
        """From its fields as JSON."""
        usage = stored["usage"]
        return cls(
            **{
                **stored,
                "finish_reason": FinishReason(stored["finish_reason"]),
                "usage": None if usage is None else Usage(**usage),
                "tool_calls": tuple(ToolCall(**call) for call in stored["tool_calls"]),
                "ignored_parameters": tuple(stored["ignored_parameters"]),
                "redacted": tuple(stored.get("redacted", ())),
            }
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CallFailed:
    """`message` is a sentence a user can act on, without secrets or the provider's payload.
    `provider_text` is what the provider said, shortened and without secrets; it may quote the
    prompt.
    `is_unsent`: the request was certainly not sent, so it cost nothing. `billed`: upper bound of
    what the provider bills, derived from its answer; see `path.charges`.
    """

    reason: FailureReason
    message: str
    is_retryable: bool
    retry_after_seconds: float | None = None
    request_id: str | None = None
    usage: Usage | None = None
    is_unsent: bool = False
    billed: Billed = Billed.UNKNOWN
    provider_text: str | None = None

    @classmethod
    def restored(cls, stored: Mapping[str, Any]) -> Self:
        """From its fields as JSON."""
        usage = stored["usage"]
        return cls(
            **{
                **stored,
                "reason": FailureReason(stored["reason"]),
                "usage": None if usage is None else Usage(**usage),
            }
        )


Outcome = Completion | CallFailed
Streamed = TextDelta | Completion | CallFailed
