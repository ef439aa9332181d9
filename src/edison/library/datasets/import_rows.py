"""Temporary storage of validated rows until all of them are written at once.

Rows are kept in a temporary file in the form in which they will be stored, so the transaction that
writes them is short and memory use does not grow with the file.
"""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import IO, Any

import orjson

from edison.kit.lazy_dataclasses import dataclass
from edison.library.datasets.cases import columns_of
from edison.library.datasets.files.survey import Candidate

ROWS_AT_ONCE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedRow:
    """Columns of a case that depend on its row alone. `is_copy`: repeats an earlier row."""

    columns: dict[str, Any]
    is_copy: bool


class PreparedRows:
    """Written once from start to end, then read the same way."""

    def __init__(self, aside: IO[bytes]) -> None:
        self._aside = aside

    def add(self, found: Sequence[tuple[Candidate, bool]]) -> None:
        for candidate, is_copy in found:
            columns = columns_of(candidate.contents, input_hash=candidate.input_hash)
            self._aside.write(orjson.dumps([columns, is_copy]) + b"\n")

    def rewind(self) -> None:
        self._aside.seek(0)

    def read_next(self) -> list[PreparedRow]:
        """The next rows; empty at the end."""
        lines = map(orjson.loads, islice(self._aside, ROWS_AT_ONCE))
        return [PreparedRow(columns=columns, is_copy=is_copy) for columns, is_copy in lines]


@contextmanager
def prepared_rows() -> Iterator[PreparedRows]:
    with tempfile.TemporaryFile() as aside:
        yield PreparedRows(aside)
