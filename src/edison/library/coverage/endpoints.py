"""Endpoint for a dataset's coverage."""

from typing import Annotated
from uuid import UUID

from fastapi import Query
from pydantic import StringConstraints

from edison.api.routing import api_router
from edison.api.session import CurrentDatabase
from edison.library.coverage import service
from edison.library.coverage.schemas import CoverageRead
from edison.workspace.projects.access import ViewerWithoutTransaction

router = api_router("/projects/{project}/datasets/{dataset_id}/coverage", tag="datasets")

LanguageCode = Annotated[str, StringConstraints(pattern=r"^[a-z]{2}$")]


@router.get("")
async def get_dataset_coverage(
    dataset_id: UUID,
    member: ViewerWithoutTransaction,
    database: CurrentDatabase,
    language: Annotated[
        list[LanguageCode] | None,
        Query(max_length=20, description="Expected, even if no case is in it yet"),
    ] = None,
) -> CoverageRead:
    """Returns what the cases cover: tags, entities, length, ambiguity, language, difficulty,
    split.
    """
    return await service.get_coverage(
        database,
        project_id=member.project_id,
        dataset_id=dataset_id,
        languages=list(dict.fromkeys(language or [])),
    )
