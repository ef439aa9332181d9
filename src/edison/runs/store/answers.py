"""Serialises model answers for storage with outputs and scores, and restores them for a replay."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import orjson

from edison.pipeline.generate.outcome import (
    CallFailed,
    Completion,
    FailureReason,
    FinishReason,
    ToolCall,
    Usage,
)
from edison.pipeline.generate.path.question import Answer
from edison.pipeline.render.prompt import RenderedPrompt
from edison.pipeline.score.parse import Malformation
from edison.pipeline.score.scorer import Subject
from edison.runs.store.models import Output, RunCase

_ANSWERED = "completion"


def pack(answer: Answer) -> dict[str, Any]:
    kind = _ANSWERED if isinstance(answer.outcome, Completion) else "failure"
    return {**asdict(answer), "kind": kind}


def unpack(packed: Mapping[str, Any]) -> Answer:
    kept = {name: value for name, value in packed.items() if name != "kind"}
    outcome = kept["outcome"]
    usage = _usage(outcome["usage"])
    rebuilt: Completion | CallFailed
    if packed["kind"] == _ANSWERED:
        rebuilt = Completion(
            **{
                **outcome,
                "usage": usage,
                "finish_reason": FinishReason(outcome["finish_reason"]),
                "tool_calls": tuple(ToolCall(**call) for call in outcome["tool_calls"]),
                "ignored_parameters": tuple(outcome["ignored_parameters"]),
                "redacted": tuple(outcome.get("redacted", ())),
            }
        )
    else:
        rebuilt = CallFailed(
            **{**outcome, "usage": usage, "reason": FailureReason(outcome["reason"])}
        )
    return Answer(**{**kept, "outcome": rebuilt, "usage": _usage(kept["usage"])})


def _usage(packed: Mapping[str, Any] | None) -> Usage | None:
    return None if packed is None else Usage(**packed)


def answer_of(output: Output) -> Answer:
    """Rebuilds the answer from its stored output."""
    usage = None
    if output.input_tokens is not None:
        usage = Usage(
            input_tokens=output.input_tokens,
            output_tokens=output.output_tokens or 0,
            cached_input_tokens=output.cached_input_tokens or 0,
            reasoning_tokens=output.reasoning_tokens or 0,
        )
    return Answer(
        outcome=_outcome(output, usage),
        attempts=output.attempts,
        cost_nanos=output.cost_nanos,
        usage=usage,
        is_cached=output.is_cached,
        waited_seconds=output.waited_seconds,
        price_version=output.price_version,
        cache_key=output.cache_key,
    )


def _outcome(output: Output, usage: Usage | None) -> Completion | CallFailed:
    if output.status == "error":
        return CallFailed(
            reason=FailureReason(output.error or FailureReason.PROVIDER),
            message=output.message or "",
            is_retryable=False,
            request_id=output.request_id,
            usage=usage,
        )
    rest = output.completion or {}
    return Completion(
        text=output.text or "",
        finish_reason=FinishReason(output.finish_reason or FinishReason.OTHER),
        usage=usage,
        model=output.model or "",
        tool_calls=tuple(ToolCall(**call) for call in rest.get("tool_calls", ())),
        request_id=output.request_id,
        ignored_parameters=tuple(rest.get("ignored_parameters", ())),
        latency_seconds=output.latency_seconds or 0,
        first_token_seconds=output.first_token_seconds,
        redacted=tuple(rest.get("redacted", ())),
    )


def sent_text(prompt: RenderedPrompt) -> str:
    """The prompt as ASCII JSON: PostgreSQL's JSON type rejects some characters that prompts may
    contain.
    """
    content = {
        "system": prompt.system,
        "messages": [{"role": each.role, "text": each.text} for each in prompt.messages],
        "tools": [asdict(tool) for tool in prompt.tools],
    }
    try:
        written = orjson.dumps(content)
    except TypeError:  # lone surrogate
        return ascii_json(content)
    return written.decode() if written.isascii() else ascii_json(content)


# Built once: `json.dumps` with options builds an encoder per call.
_encoder = json.JSONEncoder(separators=(",", ":"))


def ascii_json(value: Any) -> str:
    return _encoder.encode(value)


def storable(text: str) -> str:
    """Replaces characters that PostgreSQL rejects: NUL and lone surrogates."""
    if "\x00" in text:
        text = text.replace("\x00", "\N{REPLACEMENT CHARACTER}")
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def subject_of(row: Mapping[str, Any], case: RunCase) -> Subject:
    """The scorers' view of an output; `row` holds its columns."""
    completion = row["completion"] or {}
    return Subject(
        text=row["text"] or "",
        parsed=row["parsed"],
        malformed=Malformation(row["error"]) if row["status"] == "malformed" else None,
        expected=case.expected,
        inputs=case.inputs,
        latency_seconds=row["latency_seconds"],
        cost_nanos=row["cost_nanos"],
        output_tokens=row["output_tokens"],
        tool_calls=tuple(ToolCall(**call) for call in completion.get("tool_calls", ())),
        redacted=tuple(completion.get("redacted", ())),
    )
