"""Nunjucks as a syntax of prompts, rendered as promptfoo renders them."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.render.nunjucks.filters import FILTERS
from edison.pipeline.render.nunjucks.lexer import TemplateError
from edison.pipeline.render.nunjucks.names import filter_names, free_names, tested_names
from edison.pipeline.render.nunjucks.nodes import Body
from edison.pipeline.render.nunjucks.template import parse_nunjucks
from edison.pipeline.render.promptfoo_prompt import render_promptfoo, template_texts

# Nunjucks names a function of its parser in some messages.
_PARSER = re.compile(r"^parse\w+: ")
_TAG = re.compile(r"\{[{%]")
_SPECIAL = re.compile(r"\{(?=[{%#])|#\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class NunjucksTemplate:
    """A text with Nunjucks tags. A text that does not parse has no names and a problem."""

    source: str

    def names(self) -> list[str]:
        """Variables that the template reads, in order of first use."""
        return list(dict.fromkeys(name for body in self._bodies() for name in free_names(body)))

    def required_names(self) -> list[str]:
        """Variables without those that the template tests or has a default for."""
        optional = {name for body in self._bodies() for name in tested_names(body)}
        return [name for name in self.names() if name not in optional]

    def find_problem(self) -> str | None:
        """Why no values can be filled in, as a sentence."""
        try:
            bodies = [parse_nunjucks(text) for text in template_texts(self.source)]
        except TemplateError as wrong:
            place = "" if wrong.line is None else f" in line {wrong.line}"
            reason = _PARSER.sub("", str(wrong)).rstrip(".")
            return f"The template has an error{place}: {reason}."
        unknown = [name for body in bodies for name in filter_names(body) if name not in FILTERS]
        return f"There is no filter {unknown[0]}." if unknown else None

    def first_use(self) -> int | None:
        """Position of the first tag."""
        found = _TAG.search(self.source)
        return None if found is None else found.start()

    def render(self, values: Mapping[str, Any]) -> str:
        """Raises TemplateError."""
        return render_promptfoo(self.source, values)

    def rendered_length(self, values: Mapping[str, Any]) -> int:
        """Raises TemplateError."""
        return len(self.render(values))

    def _bodies(self) -> Iterator[Body]:
        try:
            for text in template_texts(self.source):
                yield parse_nunjucks(text)
        except TemplateError:
            return


def escape_nunjucks(text: str) -> str:
    """Returns a template that renders to `text`, whatever the values are."""
    return _SPECIAL.sub(lambda found: f'{{{{ "{found[0]}" }}}}', text)
