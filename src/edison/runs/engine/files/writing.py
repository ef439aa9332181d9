"""Writes records of cells as JSON, as lines of JSON, or as CSV.

CSV has a line per cell: what is known of the case and the variant, a column `inputs.name` for every
variable, the answer and what it took, and three columns for every scorer. Texts that a spreadsheet
would run as formulas are guarded.
"""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any, Literal, Protocol

import orjson

from edison.kit import formulas
from edison.runs.engine.files.records import OF_OUTPUT, OF_VARIANT

ExportFormat = Literal["csv", "json", "jsonl"]
_CASE = ("case", "case_id", "split", "difficulty", "tags", "expected")
_TAKEN = ("cost_usd", "grade", "graded_by")

Record = dict[str, Any]


class Writer(Protocol):
    def begin(self) -> bytes: ...

    def write(self, records: Iterable[Record]) -> bytes: ...

    def end(self) -> bytes: ...


class JsonLines:
    def begin(self) -> bytes:
        return b""

    def write(self, records: Iterable[Record]) -> bytes:
        return b"".join(orjson.dumps(record) + b"\n" for record in records)

    def end(self) -> bytes:
        return b""


class JsonArray:
    def __init__(self) -> None:
        self._is_first = True

    def begin(self) -> bytes:
        return b"["

    def write(self, records: Iterable[Record]) -> bytes:
        written = []
        for record in records:
            written += [b"\n" if self._is_first else b",\n", orjson.dumps(record)]
            self._is_first = False
        return b"".join(written)

    def end(self) -> bytes:
        return b"\n]\n"


class Csv:
    """`variables` are those of the cases, `scorers` the labels of the run's scorers."""

    def __init__(self, variables: Sequence[str], scorers: Sequence[str]) -> None:
        self._variables = variables
        self._scorers = scorers

    def begin(self) -> bytes:
        of_scorers = [
            f"{kind}: {label}"
            for label in self._scorers
            for kind in ("score", "passed", "rationale")
        ]
        inputs = [f"inputs.{name}" for name in self._variables]
        header = [*_CASE, *inputs, *OF_VARIANT, "repeat", *OF_OUTPUT, *_TAKEN, *of_scorers]
        return _lines([map(formulas.guard, header)])

    def write(self, records: Iterable[Record]) -> bytes:
        return _lines(map(self._cells, records))

    def end(self) -> bytes:
        return b""

    def _cells(self, record: Record) -> list[str]:
        case, variant = record["case"], record["variant"]
        # People count from one, and so does the grid.
        values = [case["position"] + 1, *(case[name] for name in _CASE[1:4])]
        values += [", ".join(case["tags"]), case["expected"]]
        values += [case["inputs"].get(name) for name in self._variables]
        values += [variant[name] for name in OF_VARIANT]
        values += [record["repeat"] + 1, *(record[name] for name in (*OF_OUTPUT, *_TAKEN))]
        said = {score["scorer"]: score for score in record["scores"]}
        for position in range(len(self._scorers)):
            score = said.get(position, {})
            values += [score.get(name) for name in ("value", "is_passed", "rationale")]
        return [_cell(value) for value in values]


def _lines(rows: Iterable[Iterable[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, int | float):
        # A number is no formula, whatever its sign; only texts are what others wrote.
        return orjson.dumps(value).decode()
    if isinstance(value, str):
        return formulas.guard(value)
    return formulas.guard(orjson.dumps(value).decode())
