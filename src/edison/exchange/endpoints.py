"""Endpoints of imports from files."""

import asyncio
import re
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated
from uuid import UUID

from fastapi import Query as Parameter
from fastapi import Request, status
from fastapi.responses import StreamingResponse
from starlette.requests import ClientDisconnect

from edison.api.downloads import dated, download, file_responses
from edison.api.parameters import read_into
from edison.api.routing import PREFIX, api_router, raises
from edison.api.session import CurrentDatabase, CurrentSettings
from edison.exchange.errors import ImportRefused
from edison.exchange.formats import FORMATS
from edison.exchange.schemas import (
    ExportFormat,
    ExportKind,
    FileImportQuery,
    FileImportRead,
    FormatRead,
    ImportFile,
    ImportOptions,
)
from edison.kit.errors import Conflict
from edison.workspace.projects.access import (
    AdminWithoutTransaction,
    Viewer,
    ViewerWithoutTransaction,
)

router = api_router("/projects/{project}/import", tag="imports")

exports_router = api_router("/projects/{project}/export-file", tag="exports")
_FILES = file_responses("yaml", "json", "md", "txt", is_json_object=True)

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


Query = Annotated[FileImportQuery, read_into(FileImportQuery)]


@router.get("/formats")
async def list_import_formats(member: Viewer) -> list[FormatRead]:
    """Returns the formats that can be imported."""
    return [
        FormatRead(key=key, title=each.title, description=each.description, makes=list(each.makes))
        for key, each in FORMATS.items()
    ]


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
    from edison.exchange import service

    async with _received(request, query.name) as file:
        options = _options(query, member)
        return await service.import_file(database, file=file, options=options, settings=settings)


@router.post("/preview", openapi_extra={**raises(Conflict), **_BODY})
async def preview_import(
    request: Request,
    query: Query,
    member: AdminWithoutTransaction,
    database: CurrentDatabase,
    settings: CurrentSettings,
) -> FileImportRead:
    """Returns what the import of a file would add, and what it would leave out. Changes nothing."""
    from edison.exchange import service

    async with _received(request, query.name) as file:
        options = replace(_options(query, member), is_preview=True)
        return await service.import_file(database, file=file, options=options, settings=settings)


def _options(query: FileImportQuery, member: AdminWithoutTransaction) -> ImportOptions:
    return ImportOptions(
        project_id=member.project_id,
        author_id=member.user_id,
        format=query.wanted_format,
        existing=query.existing,
        grader_id=query.grader_id,
    )


@exports_router.get("", response_class=StreamingResponse, responses=_FILES)
async def export_file(
    member: ViewerWithoutTransaction,
    database: CurrentDatabase,
    kind: Annotated[ExportKind, Parameter()],
    file_format: Annotated[ExportFormat, Parameter(alias="format")],
    entity_id: Annotated[UUID | None, Parameter(alias="id")] = None,
) -> StreamingResponse:
    """Downloads a configuration of promptfoo or Edison with what belongs to a prompt, a dataset or
    the project; or a prompt as Markdown, text or JSON. Keys are never exported. What has no place
    in the file is named in its first lines.
    """
    from edison.exchange import exports, service

    wanted = service.check_export(kind, entity_id)
    content, name = await exports.export_file(
        database, project_id=member.project_id, wanted=wanted, file_format=file_format
    )
    return download(iter([content]), name=dated(name), file_format=exports.SUFFIXES[file_format])


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
