"""Preview of an import: counts of rows and problems."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from typing import Any

from edison.kit.lazy_dataclasses import dataclass
from edison.library.datasets.contents import CaseContents
from edison.library.datasets.files.cast import cast
from edison.library.datasets.files.mapping import ColumnMapping
from edison.library.datasets.files.problems import Row, RowProblem
from edison.library.datasets.fingerprints import hash_inputs
from edison.pipeline.render.values import value_text

ROWS_SHOWN = 10
PROBLEMS_SHOWN = 100
LONGEST_SHOWN = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownRow:
    """A row for display: each value as text, truncated when long."""

    line: int
    values: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A row that can become a case."""

    line: int
    contents: CaseContents
    input_hash: str


@dataclass(slots=True, kw_only=True)
class Survey:
    """Counts of all rows and problems, and the first problems; a row may have several. `copies`
    repeat an earlier row of the file.
    """

    good: int = 0
    bad: int = 0
    copies: int = 0
    problem_count: int = 0
    problems: list[RowProblem] = field(default_factory=list)
    _hashes: set[str] = field(default_factory=set)

    def examine(
        self, rows: Iterable[Row], mapping: Sequence[ColumnMapping], *, more_tags: Sequence[str]
    ) -> list[tuple[Candidate, bool]]:
        """The valid rows, each with whether it repeats an earlier one."""
        return list(self._examine(rows, mapping, more_tags))

    def _examine(
        self, rows: Iterable[Row], mapping: Sequence[ColumnMapping], more_tags: Sequence[str]
    ) -> Iterator[tuple[Candidate, bool]]:
        for row in rows:
            contents = cast(row, mapping, more_tags=more_tags)
            if isinstance(contents, list):
                self.bad += 1
                self.problem_count += len(contents)
                self.problems += contents[: PROBLEMS_SHOWN - len(self.problems)]
                continue
            self.good += 1
            input_hash = hash_inputs(contents.inputs)
            is_copy = input_hash in self._hashes
            self.copies += is_copy
            self._hashes.add(input_hash)
            yield Candidate(line=row.line, contents=contents, input_hash=input_hash), is_copy


def show(row: Row) -> ShownRow:
    return ShownRow(
        line=row.line, values={name: _shown(value) for name, value in row.values.items()}
    )


def _shown(value: Any) -> str:
    """Replaces unprintable characters by U+FFFD."""
    text = value_text(value)[:LONGEST_SHOWN]
    return "".join(
        character if character.isprintable() or character in "\n\r\t" else "\ufffd"
        for character in text
    )
