r"""Templates: text with variables, in three syntaxes.

The double and single syntax have variables and nothing else: `{{name}}` and `{name}`, with spaces
or tabs allowed inside the braces. A name is letters, digits and underscores, and does not begin
with a digit. Anything else between braces is text, so `{"key": 1}` needs no escaping in either.
Nunjucks, which has conditions and loops too, is in `nunjucks_template.py`.

A backslash in front of a placeholder makes it text: `\{{name}}` gives `{{name}}`. Two backslashes
are one backslash and then the value. Anywhere else a backslash is itself.

One pass, linear in the length of the text; values are never parsed. `frontend/src/lib/template.ts`
does the same in the browser; both pass `template_vectors.json`.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cached_property
from typing import Any, Protocol

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.render.nunjucks_template import NunjucksTemplate, escape_nunjucks
from edison.pipeline.render.values import value_text


class Syntax(StrEnum):
    DOUBLE = "double"
    SINGLE = "single"
    NUNJUCKS = "nunjucks"

    @property
    def opening(self) -> str:
        return "{" if self is Syntax.SINGLE else "{{"

    @property
    def closing(self) -> str:
        return "}" if self is Syntax.SINGLE else "}}"


class Template(Protocol):
    """A parsed text of any syntax."""

    def names(self) -> list[str]:
        """The variables' names in order of first use."""

    def required_names(self) -> list[str]:
        """Variables that need a value."""

    def find_problem(self) -> str | None:
        """Why no values can be filled in, as a sentence."""

    def first_use(self) -> int | None:
        """Position of the first variable or tag."""

    def render(self, values: Mapping[str, Any]) -> str:
        """Fills in the values. Raises TemplateError."""

    def rendered_length(self, values: Mapping[str, Any]) -> int:
        """Length of the result of `render`; checked first, because a long value may be used very
        often. Raises TemplateError.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """A placeholder to replace: `text[start:end]`, braces included."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class PlaceholderTemplate:
    """A parsed text of the double or single syntax. `pieces` are literal texts and variables, in
    order.
    """

    source: str
    pieces: tuple[str | Variable, ...]

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        """Every placeholder with its position."""
        return tuple(piece for piece in self.pieces if isinstance(piece, Variable))

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(variable.name for variable in self.variables))

    def names(self) -> list[str]:
        """The variables' names in order of first use."""
        return list(self._names)

    def required_names(self) -> list[str]:
        return self.names()

    def find_problem(self) -> str | None:
        return None

    def first_use(self) -> int | None:
        return self.variables[0].start if self.variables else None

    def render(self, values: Mapping[str, Any]) -> str:
        """Fills in the values. A variable without a value stays as written."""
        return "".join(self._rendered(values))

    def rendered_length(self, values: Mapping[str, Any]) -> int:
        return sum(map(len, self._rendered(values)))

    def _rendered(self, values: Mapping[str, Any]) -> list[str]:
        given = {name: value_text(values[name]) for name in self._names if name in values}
        return [
            piece
            if isinstance(piece, str)
            else given[piece.name]
            if piece.name in given
            else self.source[piece.start : piece.end]
            for piece in self.pieces
        ]


def parse(text: str, syntax: Syntax) -> Template:
    if syntax is Syntax.NUNJUCKS:
        return NunjucksTemplate(source=text)
    return parse_placeholders(text, syntax)


def parse_placeholders(text: str, syntax: Syntax) -> PlaceholderTemplate:
    pieces: list[str | Variable] = []
    kept: list[str] = []
    position = 0
    for found in _placeholders(text, syntax):
        backslashes = _count_backslashes(text, begin=position, end=found.start)
        kept.append(text[position : found.start - backslashes])
        kept.append("\\" * (backslashes // 2))
        if backslashes % 2:
            kept.append(text[found.start : found.end])
        else:
            _keep(pieces, kept)
            pieces.append(found)
            kept = []
        position = found.end
    kept.append(text[position:])
    _keep(pieces, kept)
    return PlaceholderTemplate(source=text, pieces=tuple(pieces))


def escape(text: str, syntax: Syntax) -> str:
    """Returns a template that renders to `text`, whatever the values are."""
    if syntax is Syntax.NUNJUCKS:
        return escape_nunjucks(text)
    parts = []
    position = 0
    for found in _placeholders(text, syntax):
        backslashes = _count_backslashes(text, begin=position, end=found.start)
        parts.append(text[position : found.start])
        parts.append("\\" * (backslashes + 1))
        parts.append(text[found.start : found.end])
        position = found.end
    parts.append(text[position:])
    return "".join(parts)


def to_nunjucks(text: str, syntax: Syntax) -> str:
    """The same template in Nunjucks."""
    if syntax is Syntax.NUNJUCKS:
        return text
    pieces = parse_placeholders(text, syntax).pieces
    return "".join(
        escape_nunjucks(each) if isinstance(each, str) else f"{{{{ {each.name} }}}}"
        for each in pieces
    )


def find_missing(names: Iterable[str], values: Mapping[str, Any]) -> list[str]:
    """Variables without a value."""
    return [name for name in names if name not in values]


def find_unused(names: Iterable[str], values: Mapping[str, Any]) -> list[str]:
    """Values without a variable."""
    used = set(names)
    return [name for name in values if name not in used]


def _keep(pieces: list[str | Variable], kept: list[str]) -> None:
    if literal := "".join(kept):
        pieces.append(literal)


def _placeholders(text: str, syntax: Syntax) -> Iterator[Variable]:
    """All placeholders, escaped or not."""
    position = text.find(syntax.opening)
    while position != -1:
        found = _match(text, position, syntax)
        if found is not None:
            yield found
        # Braces may precede a placeholder: `{{{name}}}` is one between two braces.
        following = position + 1 if found is None else found.end
        position = text.find(syntax.opening, following)


def _match(text: str, start: int, syntax: Syntax) -> Variable | None:
    begin = _skip_blanks(text, start + len(syntax.opening))
    end = begin
    while end < len(text) and _may_be_in_name(text[end], is_first=end == begin):
        end += 1
    closing = _skip_blanks(text, end)
    if end == begin or not text.startswith(syntax.closing, closing):
        return None
    return Variable(name=text[begin:end], start=start, end=closing + len(syntax.closing))


def _may_be_in_name(character: str, *, is_first: bool) -> bool:
    """Letters of any script; after the first character also digits and combining marks."""
    if character == "_" or character.isalpha():
        return True
    if is_first:
        return False
    return character.isdecimal() or unicodedata.category(character)[0] == "M"


def _skip_blanks(text: str, position: int) -> int:
    while position < len(text) and text[position] in " \t":
        position += 1
    return position


def _count_backslashes(text: str, *, begin: int, end: int) -> int:
    """Number of backslashes right before `end`, searching no further back than `begin`."""
    position = end
    while position > begin and text[position - 1] == "\\":
        position -= 1
    return end - position
