"""Problems of files, with line numbers."""

from typing import Any

from edison.kit.errors import FieldProblem, Invalid
from edison.kit.lazy_dataclasses import dataclass

# The longest record, in characters, that a reader buffers while looking for its end.
LONGEST_RECORD = 1_000_000


class FileRefused(Invalid):
    """The file cannot be read, as a whole or from a certain line on."""

    def __init__(self, message: str, *, code: str, line: int | None = None) -> None:
        self.line = line
        text = message if line is None else f"Line {line:,}: {message}"
        super().__init__(FieldProblem(field="file", message=text, code=code))


@dataclass(frozen=True, slots=True, kw_only=True)
class RowProblem:
    """A row that cannot become a case; other rows are not affected."""

    line: int
    message: str
    code: str
    column: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One record of a file, by column; or the reason why it has no values.

    `is_json`: the values are typed rather than all text.
    """

    line: int
    values: dict[str, Any]
    is_json: bool = False
    problem: RowProblem | None = None


def bad_row(line: int, message: str, code: str) -> Row:
    return Row(line=line, values={}, problem=RowProblem(line=line, message=message, code=code))


def too_long(line: int) -> FileRefused:
    return FileRefused(
        f"the row that begins here is longer than {LONGEST_RECORD:,} characters. "
        "A quote or bracket may not be closed.",
        code="row_too_long",
        line=line,
    )
