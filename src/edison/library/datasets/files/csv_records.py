"""Incremental CSV reader that reports the line on which each record begins.

Python's `csv` module takes whole lines, swallows what follows a broken quote, and reports no
position. This reader buffers at most one record and reports what is wrong with it.
"""

import re
from collections.abc import Iterator
from typing import Literal

from edison.kit.lazy_dataclasses import dataclass
from edison.library.datasets.files.problems import LONGEST_RECORD, FileRefused, too_long

Delimiter = Literal[",", ";", "\t", "|"]
DELIMITERS: tuple[Delimiter, ...] = (",", ";", "\t", "|")
_RECORDS_TO_COMPARE = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    line: int
    cells: list[str]
    # A cell has text after its closing quote, so its value is ambiguous.
    is_misquoted: bool = False


class CsvRecords:
    """Push parser: feed text, get complete records."""

    def __init__(self, delimiter: Delimiter) -> None:
        self._delimiter = delimiter
        self._cell_end = re.compile(f"[{re.escape(delimiter)}\r\n]")
        self._text = ""
        self._line = 1

    @property
    def buffered(self) -> int:
        """Number of characters that wait for the end of their record."""
        return len(self._text)

    def feed(self, text: str) -> Iterator[Record]:
        self._text += text
        yield from self._take(is_last=False)
        if self.buffered > LONGEST_RECORD:
            raise too_long(self._line)

    def close(self) -> Iterator[Record]:
        yield from self._take(is_last=True)
        if self._text:
            raise FileRefused(
                "a quote is opened in this row and never closed.",
                code="unclosed_quote",
                line=self._line,
            )

    def _take(self, *, is_last: bool) -> Iterator[Record]:
        start = 0
        while start < len(self._text):
            scan = _Scan(self._text, start, delimiter=self._delimiter, cell_end=self._cell_end)
            end = scan.run(is_last=is_last)
            if end is None:
                break
            # A single empty cell is an empty line.
            if scan.cells != [""] or self._text[start] == '"':
                yield Record(line=self._line, cells=scan.cells, is_misquoted=scan.is_misquoted)
            self._line += _count_lines(self._text[start:end])
            start = end
        self._text = self._text[start:]


class _Scan:
    """Scanner for one record."""

    def __init__(self, text: str, start: int, *, delimiter: str, cell_end: re.Pattern[str]) -> None:
        self._text = text
        self._at = start
        self._delimiter = delimiter
        self._cell_end = cell_end
        self.cells: list[str] = []
        self.is_misquoted = False

    def run(self, *, is_last: bool) -> int | None:
        """Start of the next record; None when this one is incomplete."""
        while True:
            quoted = self._take_quoted(is_last=is_last) if self._stands('"') else ""
            if quoted is None:
                return None
            end = self._find_cell_end(is_last=is_last)
            if end is None:
                return None
            self._keep_cell(quoted, end)
            if self._at == len(self._text):
                return self._at
            if self._stands(self._delimiter):
                self._at += 1
                continue
            return self._at + (2 if self._stands("\r\n") else 1)

    def _keep_cell(self, quoted: str, end: int) -> None:
        rest = self._text[self._at : end]
        self.is_misquoted |= self._was_quoted and rest.strip(" ") != ""
        self.cells.append(quoted if self._was_quoted else rest)
        self._was_quoted = False
        self._at = end

    _was_quoted = False

    def _stands(self, text: str) -> bool:
        return self._text.startswith(text, self._at)

    def _find_cell_end(self, *, is_last: bool) -> int | None:
        found = self._cell_end.search(self._text, self._at)
        if found is None:
            return len(self._text) if is_last else None
        # A line feed may still follow.
        is_cut = found[0] == "\r" and found.end() == len(self._text) and not is_last
        return None if is_cut else found.start()

    def _take_quoted(self, *, is_last: bool) -> str | None:
        """The text between quotes; None when the closing quote is missing (so far)."""
        parts = []
        at = self._at + 1
        while True:
            end = self._text.find('"', at)
            if end == -1 or (end + 1 == len(self._text) and not is_last):
                return None
            parts.append(self._text[at:end])
            if not self._text.startswith('"', end + 1):
                break
            parts.append('"')
            at = end + 2
        self._at = end + 1
        self._was_quoted = True
        return "".join(parts)


def _count_lines(text: str) -> int:
    return text.count("\n") + text.count("\r") - text.count("\r\n")


def guess_delimiter(sample: str) -> Delimiter:
    """The delimiter that splits the first records into the most cells, equally many in each."""

    def rank(delimiter: Delimiter) -> tuple[bool, int]:
        widths = _widths(sample, delimiter)
        is_even = len(set(widths)) == 1
        return is_even and widths[0] > 1, max(widths, default=0)

    return max(DELIMITERS, key=rank)


def _widths(sample: str, delimiter: Delimiter) -> list[int]:
    widths = []
    try:
        for record in CsvRecords(delimiter).feed(sample):
            widths.append(len(record.cells))
            if len(widths) == _RECORDS_TO_COMPARE:
                break
    except FileRefused:
        return widths
    return widths or [sample.count(delimiter) + 1]
