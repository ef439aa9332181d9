"""Long texts in reports as PDF."""

from datetime import UTC, datetime

from edison.api.documents.document import Document, Verbatim
from edison.api.documents.pdf import shorten, write_pdf

REST = "\n[Shortened. The Markdown file has the whole text.]"


def test_a_long_text_is_shortened_and_says_so() -> None:
    assert shorten("line\n" * 999) == "line\n" * 999
    assert shorten("x" * 40_000) == "x" * 40_000
    assert shorten("x" * 40_001) == "x" * 40_000 + REST
    assert shorten("line\n" * 50_000) == "\n".join(["line"] * 1_000) + REST


def test_a_document_of_fifty_thousand_lines_is_a_small_file() -> None:
    long = Document(title="Report", subtitle="", facts=[], blocks=[Verbatim(text="x\n" * 50_000)])
    assert len(write_pdf(long, at=datetime(2026, 1, 1, tzinfo=UTC))) < 500_000
