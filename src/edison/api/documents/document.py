"""A report as headings, sentences, tables and drawings, independent of the file format.

All content is plain text. Each file writer escapes it, so that none of it is interpreted as markup.
"""

from collections.abc import Sequence

from edison.kit.lazy_dataclasses import dataclass


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
    """`words` are the columns that contain text; the others contain numbers."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: frozenset[int] = frozenset({0})


@dataclass(frozen=True, slots=True, kw_only=True)
class Verbatim:
    """Preformatted text. `kind` is its language."""

    text: str
    kind: str = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """`name` is the file name; `words` is the alternative text."""

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
