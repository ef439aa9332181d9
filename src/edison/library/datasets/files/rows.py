"""From the bytes of a file to rows with named columns, for any format.

Push parser without I/O: bytes go in, complete rows come out. Memory is bounded by `LONGEST_RECORD`
plus one block.
"""

import codecs
from collections.abc import Iterator
from enum import StrEnum
from pathlib import PurePath
from typing import Any

from edison.kit.csv_text import release
from edison.kit.lazy_dataclasses import dataclass
from edison.library.datasets.contents import name_unwelcome
from edison.library.datasets.files.csv_records import (
    DELIMITERS,
    CsvRecords,
    Delimiter,
    Record,
    guess_delimiter,
)
from edison.library.datasets.files.encodings import Decoder, Encoding, EncodingGuess
from edison.library.datasets.files.json_records import JsonArray, JsonLines
from edison.library.datasets.files.problems import FileRefused, Row, bad_row

MOST_COLUMNS = 200
LONGEST_COLUMN_NAME = 200
# Objects whose members become columns of their own.
GROUPS = ("inputs", "input", "vars")


class Format(StrEnum):
    CSV = "csv"
    JSON = "json"
    JSONL = "jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How to read a file; `delimiter` applies to CSV only."""

    format: Format
    encoding: Encoding
    delimiter: Delimiter | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutChoice:
    """The parts of the layout that the user chose; the rest is guessed."""

    format: Format | None = None
    encoding: Encoding | None = None
    delimiter: Delimiter | None = None


def guess_layout(
    guess: EncodingGuess,
    *,
    filename: str,
    chosen: LayoutChoice = LayoutChoice(),  # noqa: B008
) -> Layout:
    """Guess from the beginning of the file and its name. Raises FileRefused when it is not text."""
    if guess.size == 0:
        raise FileRefused("This file is empty.", code="empty_file")
    encoding = chosen.encoding or guess.decide()
    sample = _decode_sample(guess.sample, encoding)
    if not sample.strip():
        raise FileRefused("This file holds nothing but white space.", code="empty_file")
    file_format = chosen.format or _guess_format(sample, filename)
    if file_format is not Format.CSV:
        return Layout(format=file_format, encoding=encoding)
    delimiter = chosen.delimiter or _declared_delimiter(sample) or guess_delimiter(sample)
    return Layout(format=file_format, encoding=encoding, delimiter=delimiter)


def _decode_sample(sample: bytes, encoding: Encoding) -> str:
    # The last character may be cut in half.
    codec = "utf-8-sig" if encoding is Encoding.UTF_8 else encoding
    return codecs.getincrementaldecoder(codec)("replace").decode(sample)


def _guess_format(sample: str, filename: str) -> Format:
    if PurePath(filename).suffix.lower() in (".csv", ".tsv"):
        return Format.CSV
    return {"[": Format.JSON, "{": Format.JSONL}.get(sample.lstrip()[0], Format.CSV)


def _declared_delimiter(sample: str) -> Delimiter | None:
    """Excel writes `sep=;` as the first line."""
    first = sample.lstrip("\ufeff").split("\n", 1)[0].rstrip("\r")
    return next((each for each in DELIMITERS if first == f"sep={each}"), None)


class RowReader:
    """Push parser: feed bytes, get complete rows.

    `columns` grows as rows are read: JSON objects need not all have the same members.
    """

    def __init__(self, layout: Layout, *, most_rows: int) -> None:
        self.columns: list[str] = []
        self.rows_read = 0
        self._decoder = Decoder(layout.encoding)
        self._most_rows = most_rows
        self._known: set[str] = set()
        self._has_header = False
        self._csv: CsvRecords | None = None
        self._json: JsonArray | JsonLines = JsonLines()
        if layout.format is Format.CSV:
            self._csv = CsvRecords(layout.delimiter or ",")
        elif layout.format is Format.JSON:
            self._json = JsonArray()

    @property
    def buffered(self) -> int:
        """Number of characters held back because their row is incomplete."""
        return self._json.buffered if self._csv is None else self._csv.buffered

    def feed(self, block: bytes) -> list[Row]:
        return self._read(self._decoder.decode(block))

    def close(self) -> list[Row]:
        """The last rows. Raises FileRefused when the file ends prematurely."""
        rows = self._read(self._decoder.decode(b"", final=True))
        last = self._json.close() if self._csv is None else self._table(self._csv.close())
        rows += self._counted(last)
        if self.rows_read == 0:
            raise FileRefused("This file has no rows.", code="no_rows")
        return rows

    def _read(self, text: str) -> list[Row]:
        rows = self._json.feed(text) if self._csv is None else self._table(self._csv.feed(text))
        return list(self._counted(rows))

    def _counted(self, rows: Iterator[Row]) -> Iterator[Row]:
        for row in rows:
            self.rows_read += 1
            if self.rows_read > self._most_rows:
                raise FileRefused(
                    f"this is one row more than the limit of {self._most_rows:,}.",
                    code="too_many_rows",
                    line=row.line,
                )
            yield row if self._csv is not None else self._spread(row)

    def _table(self, records: Iterator[Record]) -> Iterator[Row]:
        for record in records:
            if not self._has_header:
                self._read_header(record)
            elif record.is_misquoted:
                yield bad_row(
                    record.line, "Text follows the closing quote of a cell.", "misplaced_quote"
                )
            elif len(record.cells) != len(self.columns):
                yield bad_row(
                    record.line,
                    f"Cells in this row: {len(record.cells)}; in the header: {len(self.columns)}.",
                    "ragged_row",
                )
            else:
                cells = map(release, record.cells)
                yield Row(line=record.line, values=dict(zip(self.columns, cells, strict=True)))

    def _read_header(self, record: Record) -> None:
        if record.line == 1 and record.cells[0].startswith("sep="):
            return
        names = [
            cell.strip() or f"column {number}" for number, cell in enumerate(record.cells, start=1)
        ]
        for name in names:
            self._add_column(name, record.line)
        if len(self.columns) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise FileRefused(
                f"the column {twice!r} appears twice.", code="duplicate_column", line=record.line
            )
        self._has_header = True

    def _add_column(self, name: str, line: int) -> None:
        if name in self._known:
            return
        if (named := name_unwelcome(name)) is not None:
            raise FileRefused(f"a column's name holds {named}.", code="bad_column", line=line)
        if len(name) > LONGEST_COLUMN_NAME or len(self.columns) == MOST_COLUMNS:
            raise FileRefused(
                f"a file may have {MOST_COLUMNS} columns with names of {LONGEST_COLUMN_NAME} "
                "characters.",
                code="too_many_columns",
                line=line,
            )
        self._known.add(name)
        self.columns.append(name)

    def _spread(self, row: Row) -> Row:
        """Move the members of nested variable objects into columns of their own."""
        values: dict[str, Any] = {}
        for name, value in row.values.items():
            if name in GROUPS and isinstance(value, dict):
                values |= {f"{name}.{member}": part for member, part in value.items()}
            else:
                values[name] = value
        for name in values:
            self._add_column(name, row.line)
        return Row(line=row.line, values=values, is_json=True, problem=row.problem)
