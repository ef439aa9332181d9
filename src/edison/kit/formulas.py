"""Keeps spreadsheets from running cells as formulas, in a way that can be undone.

A cell that begins with `=`, `+`, `-`, `@`, a tab or a carriage return gets an apostrophe in front,
and so does one in which apostrophes come before such a character: reading takes one away again.
"""

import re

_RISKY = re.compile(r"'*[=+\-@\t\r]")
_GUARDED = re.compile(r"'+[=+\-@\t\r]")


def guard(cell: str) -> str:
    return f"'{cell}" if _RISKY.match(cell) else cell


def release(cell: str) -> str:
    return cell[1:] if _GUARDED.match(cell) else cell
