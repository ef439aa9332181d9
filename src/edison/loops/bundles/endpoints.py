"""Endpoints of exports, and of the model registry."""

import asyncio
from collections.abc import AsyncIterator
from typing import IO, Annotated, Literal
from uuid import UUID

from fastapi import Query
from fastapi.responses import StreamingResponse

from edison.api.downloads import attachment, dated, download, file_responses
from edison.api.routing import api_router
from edison.api.session import CurrentDatabase, Session
from edison.kit.errors import FieldProblem, Invalid
from edison.loops.bundles import registry
from edison.loops.bundles.manifest import BundleKind
from edison.loops.bundles.schemas import (
    RegistryImport,
    RegistryImportRead,
)
from edison.loops.bundles.selection import Wanted
from edison.workspace.credentials.access import CurrentVault
from edison.workspace.projects.access import (
    Admin,
    Viewer,
    ViewerWithoutTransaction,
)

router = api_router("/projects/{project}", tag="bundles")

_BLOCK = 1 << 18
_FILE = {"schema": {"type": "string", "format": "binary"}}


@router.get(
    "/export",
    response_class=StreamingResponse,
    responses={200: {"description": "A file", "content": {"application/zip": _FILE}}},
)
async def export_bundle(
    member: ViewerWithoutTransaction,
    database: CurrentDatabase,
    kind: Annotated[BundleKind, Query()],
    entity_id: Annotated[UUID | None, Query(alias="id")] = None,
    with_runs: Annotated[bool, Query(alias="runs")] = False,
) -> StreamingResponse:
    """Downloads a bundle: a prompt with everything it was tested with, a dataset, an experiment, a
    monitor, or the whole project.

    `id` is that of the prompt, dataset, experiment or monitor. `runs` adds finished runs with their
    answers and scores, and the checks of monitors; an experiment always has its own runs. Secrets
    are never exported.
    """
    from edison.loops.bundles import service

    if (entity_id is None) != (kind is BundleKind.PROJECT):
        raise Invalid(
            FieldProblem(
                field="id",
                message="Give the id of what to export; the project itself needs none.",
                code="id_needed",
            )
        )
    wanted = Wanted(kind=kind, id=entity_id, with_runs=with_runs)
    content, name = await service.export_bundle(
        database, project_id=member.project_id, wanted=wanted
    )
    return StreamingResponse(
        _send(content),
        media_type="application/zip",
        headers={"Content-Disposition": attachment(f"{dated(name)}.bundle.zip")},
    )


async def _send(content: IO[bytes]) -> AsyncIterator[bytes]:
    with content:
        while block := await asyncio.to_thread(content.read, _BLOCK):
            yield block


@router.get(
    "/model-registry",
    response_class=StreamingResponse,
    responses=file_responses("yaml", "json", is_json_object=True),
)
async def export_registry(
    member: Viewer,
    session: Session,
    file_format: Annotated[Literal["yaml", "json"], Query(alias="format")] = "yaml",
) -> StreamingResponse:
    """Downloads the project's models with addresses, names of environment variables and prices in
    dollars per million tokens. Keys are never exported.
    """
    content = await registry.export_registry(
        session, project_id=member.project_id, file_format=file_format
    )
    name = dated(f"{member.project.slug}-models")
    return download(iter([content]), name=name, file_format=file_format)


@router.post("/model-registry/preview")
async def preview_registry(
    body: RegistryImport, member: Admin, session: Session
) -> RegistryImportRead:
    """Checks a file of models and returns what its import would add. Changes nothing."""
    return await registry.preview_registry(session, project_id=member.project_id, wanted=body)


@router.post("/model-registry")
async def import_registry(
    body: RegistryImport, member: Admin, session: Session, vault: CurrentVault
) -> RegistryImportRead:
    """Adds the models of a YAML or JSON file, and the credentials they need. Prices state their
    unit. Models whose name exists are left as they are; a problem refuses the whole file.
    """
    return await registry.import_registry(
        session, project_id=member.project_id, wanted=body, vault=vault
    )
