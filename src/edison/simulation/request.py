"""Request types of the simulation, which does not depend on the call path."""

from typing import Literal

from edison.kit.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """Worked examples come first in `messages`, the question last."""

    messages: tuple[ChatMessage, ...]
    system: str | None = None
    wants_json: bool = False

    @classmethod
    def from_text(cls, text: str, *, system: str | None = None) -> "ChatRequest":
        return cls(messages=(ChatMessage(role="user", text=text),), system=system)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    temperature: float | None = None
    seed: int | None = None
    stop: tuple[str, ...] = ()
    max_tokens: int | None = None
