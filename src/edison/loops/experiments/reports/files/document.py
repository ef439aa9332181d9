"""A report as headings, sentences, tables and drawings, whatever file it is written to.

All content is plain text. Each file writer escapes it, so that none of it is taken for
markup there.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """What a reader with one minute should take away: a paragraph per item."""

    items: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bullets:
    items: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """`words` are the columns that hold words; the others hold figures."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: frozenset[int] = frozenset({0})


@dataclass(frozen=True, slots=True, kw_only=True)
class Verbatim:
    """Text whose lines stay as they are. `kind` is what it is written in."""

    text: str
    kind: str = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """`name` is that of its file; `words` say what it shows."""

    name: str
    svg: str
    words: str


Block = Heading | Paragraph | Conclusion | Bullets | Table | Verbatim | Drawing


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """`facts` are names and values shown below the title, such as the date."""

    title: str
    subtitle: str
    facts: Sequence[tuple[str, str]] = ()
    blocks: Sequence[Block]

    @property
    def drawings(self) -> list[Drawing]:
        return [block for block in self.blocks if isinstance(block, Drawing)]
