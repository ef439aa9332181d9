"""A report as PDF.

The content is passed to the typesetter as data, never as part of its program (`report.typ`), so no
user text is interpreted as markup.
"""

import re
import threading
from dataclasses import asdict
from datetime import datetime
from importlib.resources import files
from typing import Any

import orjson

from edison.api.documents.document import Block, Document

# Longer words get break opportunities, so that they do not overflow the page.
_LONG_WORD = re.compile(r"(\S{24})(?=\S)")
_BREAK = "\u200b"
# Typesetting takes half a minute for 50,000 lines.
_MOST_LINES, _MOST_CHARACTERS = 1_000, 40_000
_REST = "\n[Shortened. The Markdown file has the whole text.]"
# One document at a time, because it takes all of a core.
_turn = threading.Lock()


def write_pdf(document: Document, *, at: datetime) -> bytes:
    """`at` is the file's creation date; the same report gives the same file."""
    import typst

    program = (files("edison.api.documents") / "report.typ").read_bytes()
    content = {
        "title": document.title,
        "subtitle": document.subtitle,
        "facts": [[name, _breakable(value)] for name, value in document.facts],
        "blocks": [_described(block) for block in document.blocks],
    }
    with _turn:
        return typst.compile(
            program,
            format="pdf",
            sys_inputs={"document": orjson.dumps(content).decode()},
            timestamp=int(at.timestamp()),
        )


def shorten(text: str) -> str:
    """Limits the length of one text of a document."""
    lines = text.split("\n", _MOST_LINES)
    kept = "\n".join(lines[:_MOST_LINES])[:_MOST_CHARACTERS]
    return text if kept == text else kept + _REST


def _described(block: Block) -> dict[str, Any]:
    values = asdict(block)
    if "svg" not in values:
        values = {name: _breakable(value) for name, value in values.items()}
    if "words" in values and isinstance(values["words"], frozenset):
        values["words"] = sorted(values["words"])
    return {"block": type(block).__name__.lower(), **values}


def _breakable(value: Any) -> Any:
    if isinstance(value, str):
        return _LONG_WORD.sub(rf"\1{_BREAK}", shorten(value))
    if isinstance(value, list | tuple):
        return [_breakable(each) for each in value]
    return value
