"""Text as patterns see it: without the disguises that cost nothing, such as full-width digits,
dashes of all sorts, and characters without width. Each place leads back to the original.
"""

import re
import sys
import unicodedata
from dataclasses import dataclass
from functools import cache

_INVISIBLE = re.compile("[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """`origins` says where each character stood; None when none was left out."""

    text: str
    origins: list[int] | None = None

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """The place in the original of what stands from `start` to `end` here."""
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
    """One character for each, so that places stay what they are."""
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
