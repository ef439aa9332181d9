"""CSV text, and cells that spreadsheets do not take for formulas.

A cell that begins with `=`, `+`, `-`, `@`, a tab or a carriage return, with any number of
apostrophes before it, gets one more apostrophe in front by `guard`. `release` removes one.
"""

import csv
import io
import re
from collections.abc import Iterable

_RISKY = re.compile(r"'*[=+\-@\t\r]")
_GUARDED = re.compile(r"'+[=+\-@\t\r]")


def encode_rows(rows: Iterable[Iterable[object]]) -> bytes:
    """Guard cells that hold user input before."""
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()


def guard(cell: str) -> str:
    return f"'{cell}" if _RISKY.match(cell) else cell


def release(cell: str) -> str:
    return cell[1:] if _GUARDED.match(cell) else cell
