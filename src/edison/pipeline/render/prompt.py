"""A rendered prompt: all variables filled in, ready for any provider."""

import json
from collections.abc import Sequence
from typing import Any, Literal

from edison.kit.fast_frozen import fast_frozen
from edison.kit.lazy_dataclasses import dataclass


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDefinition:
    """A function the model may call; `parameters` is a JSON Schema."""

    name: str
    description: str
    parameters: dict[str, Any]


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedPrompt:
    """Few-shot pairs come first in `messages`, the question last. `json_schema` is sent to models
    that follow one; for others `wants_json` counts.
    """

    messages: tuple[Message, ...]
    system: str | None = None
    tools: tuple[ToolDefinition, ...] = ()
    wants_json: bool = False
    json_schema: dict[str, Any] | None = None


def prompt_text(system: str | None, messages: Sequence[Message]) -> str:
    """The prompt as one text: a single message as it is, others as JSON in the form of a chat."""
    if system is None and len(messages) == 1:
        return messages[0].text
    chat = [] if system is None else [{"role": "system", "content": system}]
    chat += [{"role": each.role, "content": each.text} for each in messages]
    return json.dumps(chat, ensure_ascii=False)
