"""An answer under construction, from one document or from many pieces."""

from dataclasses import replace
from time import perf_counter

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.generate.outcome import (
    CallFailed,
    Completion,
    FailureReason,
    FinishReason,
    Outcome,
    ToolCall,
    Usage,
)
from edison.pipeline.generate.wire.failures import RequestContext, failed, printable_id

# More than any model reads or writes in one call; larger numbers are not counts.
MAX_TOKENS_COUNTED = 100_000_000


@dataclass(slots=True, kw_only=True)
class PartialToolCall:
    id: str = ""
    name: str = ""
    arguments: str = ""


class Reply:
    """Filled by `add_text` and by assignment; `outcome` converts it to the result. `is_counted`:
    `usage` is the provider's final count, not an intermediate one.
    """

    # Defaults that instances share take no time to set.
    refusal: str = ""
    finish_reason: FinishReason | None = None
    usage: Usage | None = None
    is_counted: bool = False
    request_id: str | None = None
    response_id: str | None = None
    first_token_seconds: float | None = None
    is_complete: bool = False

    def __init__(self, *, started: float, ignored: tuple[str, ...], model: str) -> None:
        self.started = started
        self.ignored = ignored
        self.model = model
        self.pieces: list[str] = []
        self.tool_calls: list[PartialToolCall] = []

    def add_text(self, text: str) -> None:
        if self.first_token_seconds is None:
            self.first_token_seconds = perf_counter() - self.started
        self.pieces.append(text)

    def usage_so_far(self) -> Usage | None:
        """Usage to report with a failure."""
        if self.usage is None or self.is_counted:
            return self.usage
        return replace(self.usage, is_estimated=True)

    def outcome(self, asked: RequestContext, *, is_streamed: bool = False) -> Outcome:
        return self.completion(is_streamed=is_streamed) or self.withheld(asked)

    def completion(self, *, is_streamed: bool = False) -> Completion | None:
        """None if the provider's content rules withheld the answer."""
        reason = self.finish_reason or FinishReason.OTHER
        text = "".join(self.pieces)
        if self.refusal and not text:
            # The model's own refusal is an answer worth showing.
            text, reason = self.refusal, FinishReason.CONTENT_FILTER
        if reason is FinishReason.CONTENT_FILTER and not text and not self.tool_calls:
            return None
        if self.tool_calls and reason in {FinishReason.STOP, FinishReason.OTHER}:
            reason = FinishReason.TOOL_CALLS
        return Completion(
            text=text,
            finish_reason=reason,
            usage=self._usage_of(text),
            model=self.model,
            tool_calls=self._whole_tool_calls() if self.tool_calls else (),
            request_id=self.request_id,
            response_id=printable_id(self.response_id),
            ignored_parameters=self.ignored,
            latency_seconds=perf_counter() - self.started,
            first_token_seconds=self.first_token_seconds if is_streamed else None,
        )

    def withheld(self, asked: RequestContext) -> CallFailed:
        return failed(asked, FailureReason.CONTENT_FILTER, usage=self.usage)

    def _whole_tool_calls(self) -> tuple[ToolCall, ...]:
        return tuple(
            ToolCall(id=call.id or f"call_{i}", name=call.name, arguments=call.arguments)
            for i, call in enumerate(self.tool_calls)
        )

    def _usage_of(self, text: str) -> Usage | None:
        """None when the provider reports zero output tokens for a non-empty answer."""
        usage = self.usage
        if usage is None or usage.output_tokens > 0 or usage.input_tokens == 0:
            return usage
        return None if text or self.tool_calls else usage


def credible(usage: Usage) -> Usage | None:
    """Returns None for impossible counts: a prompt without tokens, or too many tokens."""
    is_credible = (
        0 < usage.input_tokens <= MAX_TOKENS_COUNTED
        and 0 <= usage.output_tokens <= MAX_TOKENS_COUNTED
        and 0 <= usage.reasoning_tokens <= MAX_TOKENS_COUNTED
    )
    return usage if is_credible else None
