"""Answers that are files: what they are called, and how they are sent and described."""

import re
import unicodedata
from typing import Any, Literal
from urllib.parse import quote

from fastapi.responses import StreamingResponse
from starlette.responses import ContentStream

from edison.kit import clock

FileFormat = Literal["csv", "json", "jsonl"]
_TEXT = {"type": "string"}
_MEDIA_TYPES: dict[FileFormat, str] = {
    "csv": "text/csv",
    "json": "application/json",
    "jsonl": "application/x-ndjson",
}
_SCHEMAS: dict[FileFormat, dict[str, Any]] = {
    "csv": _TEXT,
    "json": {"type": "array", "items": {"type": "object"}},
    "jsonl": _TEXT,
}


def attachment(filename: str) -> str:
    """A header that says what to call a download; the plain name is for old browsers."""
    plain = unicodedata.normalize("NFKD", filename).encode("ascii", "ignore").decode()
    plain = re.sub(r"[^A-Za-z0-9.-]+", "-", plain).strip("-.") or "download"
    exact = quote(re.sub(r"[/\\:]", "-", filename), safe="")
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{exact}"


def dated(name: str) -> str:
    """The name with today's date, which tells files of several days apart."""
    return f"{name}-{clock.now():%Y-%m-%d}"


def download(pieces: ContentStream, *, name: str, file_format: FileFormat) -> StreamingResponse:
    """A file that is sent while it is written. The ending is added to its name."""
    return StreamingResponse(
        pieces,
        media_type=_MEDIA_TYPES[file_format],
        headers={"Content-Disposition": attachment(f"{name}.{file_format}")},
    )


def file_responses(*formats: FileFormat) -> dict[int | str, dict[str, Any]]:
    """What a route says of the files that it answers with."""
    content = {_MEDIA_TYPES[each]: {"schema": _SCHEMAS[each]} for each in formats}
    return {200: {"description": "A file", "content": content}}
