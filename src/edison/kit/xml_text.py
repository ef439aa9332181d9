"""Text and attributes of XML, without characters that XML 1.0 cannot hold."""

import re
from xml.sax.saxutils import escape, quoteattr

_UNWRITABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def text(value: str) -> str:
    return escape(_UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", value))


def attribute(value: str) -> str:
    """In quotes."""
    return quoteattr(_UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", value))
