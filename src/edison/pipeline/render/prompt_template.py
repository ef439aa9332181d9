"""A prompt with variables."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from edison.pipeline.render import expected_output, template
from edison.pipeline.render.expected_output import ExpectedOutput
from edison.pipeline.render.prompt import Message, RenderedPrompt, ToolDefinition
from edison.pipeline.render.template import Syntax


@dataclass(frozen=True, slots=True, kw_only=True)
class FewShot:
    """An example question with its answer; both may contain variables."""

    user: str
    assistant: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptTemplate:
    text: str
    system: str | None = None
    few_shots: tuple[FewShot, ...] = ()
    tools: tuple[ToolDefinition, ...] = ()
    syntax: Syntax = Syntax.DOUBLE

    def variables(self) -> list[str]:
        """Names in order of first use: system text, examples, main text."""
        found = (name for text in self._texts() for name in self._parse(text).names())
        return list(dict.fromkeys(found))

    def expected_output(self) -> ExpectedOutput:
        """The format that the instructions ask for; examples are not instructions."""
        return expected_output.detect(self.system or "", self.text)

    def render(self, values: Mapping[str, Any]) -> RenderedPrompt:
        """Fills in the values. Variables without a value stay as written: check for them beforehand
        with `template.find_missing`.
        """
        messages = []
        for pair in self.few_shots:
            messages.append(Message(role="user", text=self._render(pair.user, values)))
            messages.append(Message(role="assistant", text=self._render(pair.assistant, values)))
        messages.append(Message(role="user", text=self._render(self.text, values)))
        return RenderedPrompt(
            messages=tuple(messages),
            system=self._render(self.system, values) if self.system else None,
            tools=self.tools,
            wants_json=self.expected_output().is_wholly_json,
        )

    def rendered_length(self, values: Mapping[str, Any]) -> int:
        """Total length of all parts once rendered, in characters."""
        return sum(self._parse(text).rendered_length(values) for text in self._texts())

    def _texts(self) -> Iterator[str]:
        yield self.system or ""
        for pair in self.few_shots:
            yield pair.user
            yield pair.assistant
        yield self.text

    def _parse(self, text: str) -> template.Template:
        return _parse_once(text, self.syntax)

    def _render(self, text: str, values: Mapping[str, Any]) -> str:
        return self._parse(text).render(values)


@lru_cache(maxsize=256)
def _parse_once(text: str, syntax: Syntax) -> template.Template:
    """Cached, because a run renders the same few texts for thousands of cases."""
    return template.parse(text, syntax)
