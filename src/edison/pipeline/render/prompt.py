"""A rendered prompt: all variables filled in, ready for any provider."""

from dataclasses import dataclass
from typing import Any, Literal


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
