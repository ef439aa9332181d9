"""Folds text for pattern matching: full-width digits, all kinds of dashes and zero-width characters
are normalised. Positions map back to the original text.
"""

import re
import sys
import unicodedata
from functools import cache

from edison.kit.lazy_dataclasses import dataclass

_INVISIBLE = re.compile("[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """`origins` maps each character to its original position; None when no character was
    removed.
    """

    text: str
    origins: list[int] | None = None

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Maps a range of the folded text to the original text."""
        if self.origins is None or start >= end:
            return start, end
        return self.origins[start], self.origins[end - 1] + 1


def fold(text: str) -> Folded:
    if text.isascii():
        return Folded(text=text)
    plain = text.translate(_table())
    if _INVISIBLE.search(plain) is None:
        return Folded(text=plain)
    origins = [at for at, character in enumerate(plain) if not _INVISIBLE.match(character)]
    return Folded(text="".join(plain[at] for at in origins), origins=origins)


@cache
def _table() -> dict[int, str]:
    """Maps each character to exactly one, so that positions do not change."""
    table = {}
    for code in range(0x80, sys.maxunicode + 1):
        character = chr(code)
        category = unicodedata.category(character)
        if category == "Nd":
            table[code] = str(unicodedata.decimal(character))
        elif category == "Pd":
            table[code] = "-"
        elif category == "Zs":
            table[code] = " "
        elif 0xFF01 <= code <= 0xFF5E:
            table[code] = chr(code - 0xFEE0)
    return table
