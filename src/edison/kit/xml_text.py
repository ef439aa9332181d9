"""Text and attributes of XML, without characters that XML 1.0 cannot hold."""

import re
from functools import cache
from xml.sax.saxutils import escape, quoteattr


@cache
def _unwritable() -> re.Pattern[str]:
    """Compiled at its first use: a pattern of nearly all characters takes milliseconds."""
    return re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def text(value: str) -> str:
    return escape(_unwritable().sub("\N{REPLACEMENT CHARACTER}", value))


def attribute(value: str) -> str:
    """In quotes."""
    return quoteattr(_unwritable().sub("\N{REPLACEMENT CHARACTER}", value))
