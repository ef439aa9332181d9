"""A report as Markdown. User texts are escaped."""

import re
from collections.abc import Sequence
from functools import singledispatch

from edison.api.documents.document import (
    Bullets,
    Conclusion,
    Document,
    Drawing,
    Heading,
    Paragraph,
    Table,
    Verbatim,
)

_ANYWHERE = re.compile(r"([\\`*_\[\]<>|~&$])")
# Marks of a heading, list, rule or underline only at the beginning of a line.
_AT_BEGINNING = re.compile(r"^(\s*)(#|[-+=]|\d+(?=[.)](?:\s|$)))", re.MULTILINE)
_TICKS = re.compile(r"`+")


def write_markdown(document: Document, *, folder: str | None = None) -> str:
    """`folder` contains the drawings; without it, the tables replace them."""
    parts = [f"# {_line(document.title)}", _escaped(document.subtitle)]
    if document.facts:
        parts.append("\n".join(f"- {name}: {_line(value)}" for name, value in document.facts))
    for block in document.blocks:
        if not isinstance(block, Drawing):
            parts.append(_write(block))
        elif folder is not None:
            parts.append(f"![{_line(block.words)}]({folder}/{block.name}.svg)")
    return "\n\n".join(parts) + "\n"


def _escaped(text: str) -> str:
    return _AT_BEGINNING.sub(_guarded, _ANYWHERE.sub(r"\\\1", text))


def _guarded(found: re.Match[str]) -> str:
    space, mark = found.groups()
    # Indented lines would become code; escaping a number's point prevents a list.
    return f"{mark}\\" if mark.isdigit() else f"{space[:3]}\\{mark}"


def _line(text: str) -> str:
    return _escaped(" ".join(text.split()))


def _cell(text: str) -> str:
    return "<br>".join(_ANYWHERE.sub(r"\\\1", line.strip()) for line in text.strip().splitlines())


@singledispatch
def _write(block: object) -> str:
    raise TypeError(f"{type(block)} cannot be written as Markdown.")


@_write.register
def _(block: Heading) -> str:
    return f"## {_line(block.text)}"


@_write.register
def _(block: Paragraph) -> str:
    return "\n".join(_escaped(line.strip()) for line in block.text.strip().splitlines())


@_write.register
def _(block: Conclusion) -> str:
    return "\n>\n".join(f"> {_line(item)}" for item in block.items)


@_write.register
def _(block: Bullets) -> str:
    return "\n".join(f"- {_line(item)}" for item in block.items)


@_write.register
def _(block: Verbatim) -> str:
    longest = max((len(found) for found in _TICKS.findall(block.text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{block.kind}\n{block.text.rstrip()}\n{fence}"


@_write.register
def _(block: Table) -> str:
    rules = [":--" if at in block.words else "--:" for at in range(len(block.columns))]
    return "\n".join([_row(block.columns), _joined(rules), *map(_row, block.rows)])


def _row(cells: Sequence[str]) -> str:
    return _joined([_cell(cell) for cell in cells])


def _joined(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
