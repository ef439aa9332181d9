"""Reads a whole file as the program does, in chunks of any size."""

from dataclasses import dataclass

from edison.library.datasets.contents import CaseContents
from edison.library.datasets.files.cast import cast
from edison.library.datasets.files.encodings import EncodingGuess
from edison.library.datasets.files.mapping import guess_mapping
from edison.library.datasets.files.problems import Row, RowProblem
from edison.library.datasets.files.rows import Layout, LayoutChoice, RowReader, guess_layout


@dataclass(frozen=True, kw_only=True)
class ReadFile:
    layout: Layout
    columns: list[str]
    rows: list[Row]
    most_buffered: int

    @property
    def lines(self) -> list[int]:
        return [row.line for row in self.rows]

    @property
    def values(self) -> list[dict[str, object]]:
        return [row.values for row in self.rows]

    @property
    def problems(self) -> list[tuple[int, str]]:
        """Line and code of every invalid row."""
        return [
            (problem.line, problem.code)
            for case in self.cast()
            if isinstance(case, list)
            for problem in case
        ]

    @property
    def cases(self) -> list[CaseContents]:
        return [case for case in self.cast() if isinstance(case, CaseContents)]

    def cast(self) -> list[CaseContents | list[RowProblem]]:
        mapping = guess_mapping(self.columns)
        return [cast(row, mapping) for row in self.rows]


def read(
    content: bytes | str,
    *,
    filename: str = "cases",
    step: int = 7,
    most_rows: int = 100,
    chosen: LayoutChoice = LayoutChoice(),  # noqa: B008 - frozen
) -> ReadFile:
    data = content.encode() if isinstance(content, str) else content
    guess = EncodingGuess()
    pieces = [data[start : start + step] for start in range(0, len(data), step)]
    for piece in pieces:
        guess.feed(piece)
    layout = guess_layout(guess, filename=filename, chosen=chosen)
    reader = RowReader(layout, most_rows=most_rows)
    rows: list[Row] = []
    most_buffered = 0
    for piece in pieces:
        rows += reader.feed(piece)
        most_buffered = max(most_buffered, reader.buffered)
    rows += reader.close()
    return ReadFile(layout=layout, columns=reader.columns, rows=rows, most_buffered=most_buffered)
