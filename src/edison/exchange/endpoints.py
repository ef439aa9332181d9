"""Endpoints of imports from files."""

import asyncio
import re
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from fastapi import Depends, Request, status
from starlette.requests import ClientDisconnect

from edison.api.routing import PREFIX, api_router, raises
from edison.api.session import CurrentDatabase, CurrentSettings
from edison.exchange import formats, service
from edison.exchange.errors import ImportRefused
from edison.exchange.schemas import FileImportQuery, FileImportRead, FormatRead
from edison.exchange.service import ImportFile, ImportWish
from edison.kit.errors import Conflict
from edison.workspace.projects.access import AdminWithoutTransaction, Viewer

router = api_router("/projects/{project}/import", tag="imports")

# Bodies of these endpoints may be as large as bundles.
UPLOAD_PATH = re.compile(rf"{PREFIX}/projects/[^/]+/import(?:/preview)?")
_FILE = {"schema": {"type": "string", "format": "binary"}}
_LONGEST_NAME = 60
_BODY = {
    "requestBody": {
        "required": True,
        "description": "The file itself: YAML, JSON, JSON lines, CSV, or a zip",
        "content": {"application/octet-stream": _FILE},
    },
}


Query = Annotated[FileImportQuery, Depends()]


@router.get("/formats")
async def list_import_formats(member: Viewer) -> list[FormatRead]:
    """Returns the formats that can be imported."""
    return [*formats.list_formats()]


@router.post("", status_code=status.HTTP_201_CREATED, openapi_extra={**raises(Conflict), **_BODY})
async def import_file(
    request: Request,
    query: Query,
    member: AdminWithoutTransaction,
    database: CurrentDatabase,
    settings: CurrentSettings,
) -> FileImportRead:
    """Adds everything in a file to the project, or nothing: an Edison bundle, a configuration of
    promptfoo or Edison, OpenAI evals, or a dataset of another tool. A zip may hold the folder of a
    configuration.

    Models without a credential of the same provider get one without a secret. Code in files is not
    imported. Imported runs keep their results and cannot be resumed.
    """
    async with _received(request, query.name) as file:
        wish = _wish(query, member)
        return await service.import_file(database, file=file, wish=wish, settings=settings)


@router.post("/preview", openapi_extra={**raises(Conflict), **_BODY})
async def preview_import(
    request: Request,
    query: Query,
    member: AdminWithoutTransaction,
    database: CurrentDatabase,
    settings: CurrentSettings,
) -> FileImportRead:
    """Returns what the import of a file would add, and what it would leave out. Changes nothing."""
    async with _received(request, query.name) as file:
        wish = replace(_wish(query, member), is_preview=True)
        return await service.import_file(database, file=file, wish=wish, settings=settings)


def _wish(query: FileImportQuery, member: AdminWithoutTransaction) -> ImportWish:
    return ImportWish(
        project_id=member.project_id,
        author_id=member.user_id,
        format=query.wanted_format,
        existing=query.existing,
        grader_id=query.grader_id,
    )


@asynccontextmanager
async def _received(request: Request, name: str | None) -> AsyncIterator[ImportFile]:
    """The body in a folder of its own, so that the file can name no other file of the server."""
    with tempfile.TemporaryDirectory(prefix="edison-upload-") as folder:
        shown = re.sub(r"[^\w.\- ]", "_", Path(name or "").name)[-_LONGEST_NAME:] or "import.yaml"
        path = Path(folder) / shown
        with path.open("wb") as file:
            try:
                async for block in request.stream():
                    await asyncio.to_thread(file.write, block)
            except ClientDisconnect as gone:
                message = "The upload was interrupted."
                raise ImportRefused(message, code="interrupted") from gone
        yield ImportFile(path=path, name=shown, is_confined=True)
