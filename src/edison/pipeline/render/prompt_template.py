"""A prompt with variables."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.render import expected_output, template
from edison.pipeline.render.expected_output import ExpectedOutput
from edison.pipeline.render.frozen import find_mark_problem, without_marks
from edison.pipeline.render.nunjucks.lexer import TemplateError
from edison.pipeline.render.prompt import Message, RenderedPrompt, ToolDefinition
from edison.pipeline.render.promptfoo_prompt import PromptfooRenderer
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
    has_free_output: bool = False
    """Answers are taken as they are: no format is read from the instructions."""

    def variables(self) -> list[str]:
        """Names in order of first use: system text, examples, main text."""
        found = (name for text in self._texts() for name in self._parse(text).names())
        return list(dict.fromkeys(found))

    def required_variables(self) -> list[str]:
        """Names that need a value: all but those that a Nunjucks template tests for."""
        required = {name for text in self._texts() for name in self._parse(text).required_names()}
        return [name for name in self.variables() if name in required]

    def find_problem(self, text: str) -> str | None:
        """Why a text of the prompt cannot be rendered, as a sentence."""
        return find_mark_problem(text) or template.parse(text, self.syntax).find_problem()

    def expected_output(self) -> ExpectedOutput:
        """The format that the instructions ask for; examples are not instructions."""
        if self.has_free_output:
            return ExpectedOutput(wants_response=False, wants_json=False)
        return expected_output.detect(self.system or "", self.text)

    def render(
        self, values: Mapping[str, Any], *, has_plain_values: bool = False
    ) -> RenderedPrompt:
        """Fills in the values. Variables without a value stay as written, or are empty in Nunjucks:
        check for them beforehand with `template.find_missing`. Nunjucks renders the values too,
        unless `has_plain_values`, which is for values from models. Raises TemplateError.
        """
        if self.syntax is Syntax.NUNJUCKS:
            renderer = PromptfooRenderer(values, has_plain_values=has_plain_values)

            def render_part(text: str) -> str:
                return renderer.render_text(without_marks(text))

            return self._written(render_part, text=renderer.render(without_marks(self.text)))

        def render(text: str) -> str:
            return self._parse(text).render(values)

        return self._written(render, text=render(self.text))

    def find_rendered(self, values: Mapping[str, Any]) -> RenderedPrompt | None:
        """None when the values cannot be filled in."""
        try:
            return self.render(values)
        except TemplateError:
            return None

    def as_written(self) -> RenderedPrompt:
        """With its variables, to show a prompt that cannot be rendered."""
        return self._written(str, text=self.text)

    def _written(self, render: Callable[[str], str], *, text: str) -> RenderedPrompt:
        messages = []
        for pair in self.few_shots:
            messages.append(Message(role="user", text=render(pair.user)))
            messages.append(Message(role="assistant", text=render(pair.assistant)))
        messages.append(Message(role="user", text=text))
        return RenderedPrompt(
            messages=tuple(messages),
            system=render(self.system) if self.system else None,
            tools=self.tools,
            wants_json=self.expected_output().is_wholly_json,
        )

    def rendered_length(self, values: Mapping[str, Any]) -> int:
        """Total length of all parts once rendered, in characters. Raises TemplateError."""
        return sum(self._parse(text).rendered_length(values) for text in self._texts())

    def _texts(self) -> Iterator[str]:
        yield self.system or ""
        for pair in self.few_shots:
            yield pair.user
            yield pair.assistant
        yield self.text

    def _parse(self, text: str) -> template.Template:
        return _parse_once(text, self.syntax)


@lru_cache(maxsize=256)
def _parse_once(text: str, syntax: Syntax) -> template.Template:
    """Cached, because a run renders the same few texts for thousands of cases."""
    return template.parse(without_marks(text), syntax)
