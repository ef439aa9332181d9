"""Contents of a draft or version: as the pipeline's template, as text, and as a digest."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, Protocol

from edison.pipeline.render.prompt import ToolDefinition
from edison.pipeline.render.prompt_template import FewShot, PromptTemplate
from edison.pipeline.render.template import Syntax
from edison.pipeline.render.values import value_text

PARTS = ("syntax", "system", "text", "few_shots", "tools")


class Parts(Protocol):
    """A draft or a version."""

    @property
    def syntax(self) -> str: ...
    @property
    def system(self) -> str | None: ...
    @property
    def text(self) -> str: ...
    @property
    def few_shots(self) -> Sequence[dict[str, Any]]: ...
    @property
    def tools(self) -> Sequence[dict[str, Any]]: ...


def template_of(parts: Parts) -> PromptTemplate:
    return PromptTemplate(
        syntax=Syntax(parts.syntax),
        system=parts.system,
        text=parts.text,
        few_shots=tuple(FewShot(**pair) for pair in parts.few_shots),
        tools=tuple(ToolDefinition(**tool) for tool in parts.tools),
    )


def template_of_stored(parts: Mapping[str, Any]) -> PromptTemplate:
    """The template of contents that were stored as JSON: `parts_of`, or texts planned for a run,
    which may allow any format of output.
    """
    template = template_of(SimpleNamespace(**parts))
    return replace(template, has_free_output=parts.get("has_free_output", False))


def parts_of(parts: Parts) -> dict[str, Any]:
    return {name: getattr(parts, name) for name in PARTS}


def digest_of(parts: Parts) -> str:
    """Equal for equal contents on any database: ignores key order and notation of numbers."""
    return hashlib.sha256(value_text(parts_of(parts)).encode()).hexdigest()


def sections_of(parts: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The sections of contents that were stored as JSON, each with its title."""
    return list(_sections(SimpleNamespace(**parts)))


def whole_text(parts: Parts) -> str:
    """Everything that reaches the model, in the order in which it is sent: titled sections, or the
    main text alone if the prompt consists of nothing else.
    """
    sections = list(_sections(parts))
    if len(sections) == 1:
        return parts.text
    return "\n\n".join(f"=== {title} ===\n{text}" for title, text in sections) + "\n"


def _sections(parts: Parts) -> Iterator[tuple[str, str]]:
    if parts.system:
        yield "System", parts.system
    for number, pair in enumerate(parts.few_shots, start=1):
        yield f"Example {number}: user", pair["user"]
        yield f"Example {number}: assistant", pair["assistant"]
    yield "Prompt", parts.text
    for tool in parts.tools:
        # PostgreSQL does not keep the order of keys.
        ordered = {key: tool[key] for key in ("name", "description", "parameters") if key in tool}
        yield f"Tool: {tool['name']}", json.dumps(ordered, indent=2, ensure_ascii=False)
