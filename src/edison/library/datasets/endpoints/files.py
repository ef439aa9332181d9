"""Endpoints for importing and exporting cases."""

import re
from collections.abc import AsyncIterator
from typing import Annotated
from uuid import UUID

from fastapi import Depends, Query, Request, status
from fastapi.responses import StreamingResponse
from starlette.requests import ClientDisconnect

from edison.api.downloads import dated, download, file_responses
from edison.api.record_files import RecordFormat
from edison.api.routing import PREFIX, api_router, raises
from edison.api.schema import CleanText
from edison.api.session import CurrentDatabase, CurrentSettings
from edison.kit.errors import Conflict
from edison.library.datasets import (
    duplicate_report,
    export,
    import_commit,
    import_problems,
    imports,
)
from edison.library.datasets.duplicates import DEFAULT_THRESHOLD
from edison.library.datasets.files.csv_records import Delimiter
from edison.library.datasets.files.encodings import Encoding
from edison.library.datasets.files.problems import FileRefused
from edison.library.datasets.files.rows import Format, LayoutChoice
from edison.library.datasets.imports import ImportRef, Upload
from edison.library.datasets.schemas.datasets import DuplicatesRead
from edison.library.datasets.schemas.imports import ImportChange, ImportCommit, ImportRead
from edison.workspace.projects.access import EditorWithoutTransaction, ViewerWithoutTransaction

router = api_router("/projects/{project}/datasets/{dataset_id}", tag="datasets")

# The only endpoint with a larger limit for the request body.
UPLOAD_PATH = re.compile(rf"{PREFIX}/projects/[^/]+/datasets/[^/]+/imports")


async def _place(dataset_id: UUID, member: EditorWithoutTransaction) -> ImportRef:
    return ImportRef(project_id=member.project_id, dataset_id=dataset_id, author_id=member.user_id)


async def _chosen(
    file_format: Annotated[Format | None, Query(alias="format")] = None,
    encoding: Annotated[Encoding | None, Query()] = None,
    delimiter: Annotated[Delimiter | None, Query()] = None,
) -> LayoutChoice:
    return LayoutChoice(format=file_format, encoding=encoding, delimiter=delimiter)


ImportPlace = Annotated[ImportRef, Depends(_place)]


@router.post(
    "/imports",
    status_code=status.HTTP_201_CREATED,
    openapi_extra={
        "requestBody": {
            "required": True,
            "description": "The file itself: CSV, JSON or JSON lines",
            "content": {
                "application/octet-stream": {"schema": {"type": "string", "format": "binary"}}
            },
        }
    },
)
async def upload_import(
    place: ImportPlace,
    request: Request,
    database: CurrentDatabase,
    settings: CurrentSettings,
    chosen: Annotated[LayoutChoice, Depends(_chosen)],
    filename: Annotated[CleanText, Query(max_length=200)] = "upload",
) -> ImportRead:
    """Uploads a file of cases and returns a preview.

    Format, encoding and delimiter are detected unless given. Nothing is added to the dataset before
    the import is committed; uncommitted imports are deleted after a day.
    """
    upload = Upload(
        filename=filename,
        pieces=_pieces(request),
        chosen=chosen,
        most_rows=settings.import_max_rows,
    )
    return await imports.receive(database, place=place, upload=upload)


async def _pieces(request: Request) -> AsyncIterator[bytes]:
    try:
        async for piece in request.stream():
            yield piece
    except ClientDisconnect as gone:
        raise FileRefused("The upload was interrupted.", code="interrupted") from gone


@router.get("/imports/{import_id}")
async def get_import(import_id: UUID, place: ImportPlace, database: CurrentDatabase) -> ImportRead:
    """Returns the preview of an import, or its result."""
    return await imports.get_import(database, place=place, import_id=import_id)


@router.get(
    "/imports/{import_id}/problems",
    response_class=StreamingResponse,
    responses=file_responses("csv"),
    openapi_extra=raises(Conflict),
)
async def export_import_problems(
    import_id: UUID, place: ImportPlace, database: CurrentDatabase
) -> StreamingResponse:
    """Downloads all problems of an import's rows as CSV: line, column, problem and code.

    Uses the mapping of the preview, which shows only the first problems. Not available after the
    import was committed.
    """
    report = await import_problems.open_report(database, place=place, import_id=import_id)
    return download(report.lines(), name=report.name, file_format="csv")


@router.patch("/imports/{import_id}")
async def change_import(
    import_id: UUID,
    body: ImportChange,
    place: ImportPlace,
    database: CurrentDatabase,
    settings: CurrentSettings,
) -> ImportRead:
    """Changes how an uploaded file is read or mapped, and returns a new preview."""
    return await imports.change_import(
        database,
        place=place,
        import_id=import_id,
        change=body,
        most_rows=settings.import_max_rows,
    )


@router.delete("/imports/{import_id}", status_code=status.HTTP_204_NO_CONTENT)
async def abandon_import(import_id: UUID, place: ImportPlace, database: CurrentDatabase) -> None:
    """Deletes an uploaded file; cases that were imported from it are kept."""
    await imports.abandon_import(database, place=place, import_id=import_id)


@router.post("/imports/{import_id}/commit")
async def commit_import(
    import_id: UUID, body: ImportCommit, place: ImportPlace, database: CurrentDatabase
) -> ImportRead:
    """Adds all cases of an uploaded file to the dataset, or none.

    Events of kind `import.progress` report progress: `rows_checked` of `row_count` while `phase` is
    `checking`, then `writing` until the dataset has changed. The dataset's `undo` reverts the
    import.
    """
    return await import_commit.commit_import(
        database, place=place, import_id=import_id, decision=body
    )


@router.get("/export", response_class=StreamingResponse, responses=file_responses("csv", "jsonl"))
async def export_dataset(
    dataset_id: UUID,
    member: ViewerWithoutTransaction,
    database: CurrentDatabase,
    file_format: Annotated[RecordFormat, Query(alias="format")] = "csv",
) -> StreamingResponse:
    """Downloads all cases as a file that can be imported without loss.

    In CSV, columns whose name ends in `:json` contain JSON, and cells that a spreadsheet would run
    as a formula are prefixed with an apostrophe; importing reverts both.
    """
    dataset = await export.begin_export(
        database, project_id=member.project_id, dataset_id=dataset_id, file_format=file_format
    )
    return download(
        export.stream_cases(database, dataset_id=dataset_id, file_format=file_format),
        name=dated(dataset.name),
        file_format=file_format,
    )


@router.get("/duplicates")
async def find_duplicates(
    dataset_id: UUID,
    member: ViewerWithoutTransaction,
    database: CurrentDatabase,
    threshold: Annotated[
        float, Query(ge=0.5, le=1, description="Least share of words that near cases share")
    ] = DEFAULT_THRESHOLD,
) -> DuplicatesRead:
    """Returns groups of identical and near-identical cases."""
    return await duplicate_report.find_duplicates(
        database,
        project_id=member.project_id,
        dataset_id=dataset_id,
        threshold=threshold,
    )
