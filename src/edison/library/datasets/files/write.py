"""Writes cases to files that can be imported without loss.

JSONL has one object per case. CSV has a column per variable, then `expected`, `tags`, `difficulty`,
`split`, `origin` and `notes`. Columns that plain text cannot represent get the suffix `:json` and
hold JSON: variables that are not text in every case (an empty cell is a case without the variable),
and expected answers of which at least one is empty rather than absent. Variables whose names have a
special meaning in a header are written as `inputs.name`. Formulas are escaped.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, field
from typing import Any

import orjson

from edison.kit.csv_text import encode_rows, guard
from edison.kit.lazy_dataclasses import dataclass
from edison.library.datasets.contents import CaseContents
from edison.library.datasets.files.mapping import EXACT, ColumnTarget, guess_mapping


@dataclass(slots=True, kw_only=True)
class Columns:
    """What the columns of a CSV file must represent, collected from every case."""

    cases: int = 0
    # Number of cases with a text value, by variable in order of first use.
    texts: dict[str, int] = field(default_factory=dict)
    has_empty_answer: bool = False

    def add(self, contents: CaseContents) -> None:
        self.cases += 1
        for name, value in contents.inputs.items():
            self.texts[name] = self.texts.get(name, 0) + isinstance(value, str)
        self.has_empty_answer |= contents.expected == ""

    def is_json(self, variable: str) -> bool:
        return self.texts[variable] < self.cases

    def header(self) -> list[str]:
        variables = [
            _heading(name) + (":json" if self.is_json(name) else "") for name in self.texts
        ]
        answers = "expected:json" if self.has_empty_answer else "expected"
        return [*variables, answers, *EXACT[1:]]


def _heading(variable: str) -> str:
    """The plain name, unless a reader would interpret it as something else."""
    (guessed, *_) = guess_mapping([variable, *EXACT])
    is_plain = guessed.target is ColumnTarget.VARIABLE and guessed.variable == variable
    return variable if is_plain else f"inputs.{variable}"


def csv_header(columns: Columns) -> bytes:
    return encode_rows([columns.header()])


def csv_lines(cases: Iterable[CaseContents], columns: Columns) -> bytes:
    return encode_rows(_cells(contents, columns) for contents in cases)


def jsonl_lines(cases: Iterable[CaseContents]) -> bytes:
    return b"".join(orjson.dumps(asdict(contents)) + b"\n" for contents in cases)


def _cells(contents: CaseContents, columns: Columns) -> list[str]:
    cells = [_variable_cell(name, contents.inputs, columns) for name in columns.texts]
    is_json = columns.has_empty_answer and contents.expected is not None
    cells.append(_json(contents.expected) if is_json else contents.expected or "")
    cells.append(", ".join(contents.tags))
    rest = (contents.difficulty, contents.split, contents.origin, contents.notes)
    cells += ["" if value is None else str(value) for value in rest]
    return [guard(cell) for cell in cells]


def _variable_cell(name: str, inputs: Mapping[str, Any], columns: Columns) -> str:
    if not columns.is_json(name):
        return str(inputs[name])
    return _json(inputs[name]) if name in inputs else ""


def _json(value: Any) -> str:
    return orjson.dumps(value).decode()
