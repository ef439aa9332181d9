"""Reversible escaping against CSV formula injection in spreadsheets.

A cell that begins with `=`, `+`, `-`, `@`, a tab or a carriage return, with any number of
apostrophes before it, gets one more apostrophe in front. `release` removes one.
"""

import re

_RISKY = re.compile(r"'*[=+\-@\t\r]")
_GUARDED = re.compile(r"'+[=+\-@\t\r]")


def guard(cell: str) -> str:
    return f"'{cell}" if _RISKY.match(cell) else cell


def release(cell: str) -> str:
    return cell[1:] if _GUARDED.match(cell) else cell
