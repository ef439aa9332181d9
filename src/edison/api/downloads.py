"""File downloads: names, streaming responses and their OpenAPI descriptions."""

import re
import unicodedata
from typing import Any, Literal
from urllib.parse import quote

from fastapi.responses import StreamingResponse
from starlette.responses import ContentStream

from edison.kit import clock

FileFormat = Literal["csv", "json", "jsonl", "md", "pdf", "txt", "xml", "yaml"]
_TEXT = {"type": "string"}
_MEDIA_TYPES: dict[FileFormat, str] = {
    "csv": "text/csv",
    "json": "application/json",
    "jsonl": "application/x-ndjson",
    "md": "text/markdown",
    "pdf": "application/pdf",
    "txt": "text/plain",
    "xml": "application/xml",
    "yaml": "application/yaml",
}
_OBJECT = {"type": "object"}
_SCHEMAS: dict[FileFormat, dict[str, Any]] = {
    "csv": _TEXT,
    "json": {"type": "array", "items": _OBJECT},
    "jsonl": _TEXT,
    "md": _TEXT,
    "pdf": {"type": "string", "format": "binary"},
    "txt": _TEXT,
    "xml": _TEXT,
    "yaml": _OBJECT,
}


def attachment(filename: str) -> str:
    """A Content-Disposition header with the file name; the ASCII name is for old browsers."""
    plain = unicodedata.normalize("NFKD", filename).encode("ascii", "ignore").decode()
    plain = re.sub(r"[^A-Za-z0-9.-]+", "-", plain).strip("-.") or "download"
    exact = quote(re.sub(r"[/\\:]", "-", filename), safe="")
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{exact}"


def dated(name: str) -> str:
    """Appends today's date to the name."""
    return f"{name}-{clock.now():%Y-%m-%d}"


def download(pieces: ContentStream, *, name: str, file_format: FileFormat) -> StreamingResponse:
    """A streamed file response. The file extension is appended to `name`."""
    return StreamingResponse(
        pieces,
        media_type=_MEDIA_TYPES[file_format],
        headers={"Content-Disposition": attachment(f"{name}.{file_format}")},
    )


def file_responses(
    *formats: FileFormat, is_json_object: bool = False
) -> dict[int | str, dict[str, Any]]:
    """OpenAPI responses of a route that returns files. JSON is a list, or one object."""
    schemas = _SCHEMAS | ({"json": _OBJECT} if is_json_object else {})
    content = {_MEDIA_TYPES[each]: {"schema": schemas[each]} for each in formats}
    return {200: {"description": "A file", "content": content}}
