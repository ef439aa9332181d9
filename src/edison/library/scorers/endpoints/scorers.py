"""Endpoints for saved scorers, their versions, and the test bench."""

from typing import Annotated
from uuid import UUID

from fastapi import Query, status

from edison.api.pagination import Slice
from edison.api.parameters import PageParams, read_into
from edison.api.routing import api_router, raises
from edison.api.schema import Page
from edison.api.session import CurrentDatabase, Session
from edison.kit.errors import Exhausted
from edison.library.calls.access import CurrentGateway
from edison.library.scorers import bench, service
from edison.library.scorers.kinds import list_kinds
from edison.library.scorers.schemas.bench import TriedScorerRead, TryScorerRequest
from edison.library.scorers.schemas.scorers import (
    NamedChange,
    NamedCopyRequest,
    SavedScorerRead,
    SavedScorerRequest,
    SavedScorerSummary,
    ScorerFilter,
    ScorerKindRead,
    ScorerVersionRead,
    ScorerVersionRequest,
)
from edison.workspace.projects.access import Editor, EditorWithoutTransaction, Viewer
from edison.workspace.resources.schemas import ChangesRead

router = api_router("/projects/{project}/scorers", tag="scorers")


@router.get("/kinds")
async def list_scorer_kinds(member: Viewer) -> list[ScorerKindRead]:
    """Lists the kinds of scorers with the form of their options."""
    return list_kinds()


@router.post("/try", openapi_extra=raises(Exhausted))
async def try_scorer(
    body: TryScorerRequest,
    member: EditorWithoutTransaction,
    database: CurrentDatabase,
    gateway: CurrentGateway,
) -> TriedScorerRead:
    """Scores one answer and returns how the score was computed. Stores nothing.

    Model calls of the scorer are charged like any other call.
    """
    trial = await bench.prepare_trial(database, project_id=member.project_id, wanted=body)
    return await bench.run_trial(gateway, trial)


@router.get("", response_model=Page[SavedScorerSummary])
async def list_scorers(
    member: Viewer,
    wanted: Annotated[ScorerFilter, read_into(ScorerFilter)],
    page: PageParams,
    session: Session,
) -> Slice[SavedScorerSummary]:
    """Lists the project's saved scorers, last changed first.

    Sort by `updated_at`, `created_at` or `name`; `q` searches names.
    """
    return await service.list_scorers(
        session, project_id=member.project_id, wanted=wanted, page=page
    )


@router.post("", status_code=status.HTTP_201_CREATED)
async def create_scorer(
    body: SavedScorerRequest, member: Editor, session: Session
) -> SavedScorerRead:
    """Saves a scorer as its first version. All problems are reported at once."""
    return await service.create_scorer(
        session, project_id=member.project_id, wanted=body, author_id=member.user_id
    )


@router.get("/{scorer_id}")
async def read_scorer(scorer_id: UUID, member: Viewer, session: Session) -> SavedScorerRead:
    """Returns a scorer with its latest version."""
    return await service.get_scorer(session, project_id=member.project_id, scorer_id=scorer_id)


@router.patch("/{scorer_id}")
async def change_scorer(
    scorer_id: UUID, body: NamedChange, member: Editor, session: Session
) -> SavedScorerRead:
    """Renames or describes a scorer, without creating a version."""
    return await service.change_scorer(
        session, project_id=member.project_id, scorer_id=scorer_id, change=body
    )


@router.delete("/{scorer_id}", status_code=status.HTTP_204_NO_CONTENT)
async def delete_scorer(scorer_id: UUID, member: Editor, session: Session) -> None:
    """Deletes a scorer with its versions. Refused with `IN_USE` while something depends on it.

    Finished runs keep the settings they were scored with.
    """
    await service.delete_scorer(session, project_id=member.project_id, scorer_id=scorer_id)


@router.post("/{scorer_id}/versions", status_code=status.HTTP_201_CREATED)
async def save_scorer_version(
    scorer_id: UUID, body: ScorerVersionRequest, member: Editor, session: Session
) -> SavedScorerRead:
    """Saves changed settings as a new version.

    Refused with `UNCHANGED` when they equal the latest version, and with `STALE` when a version was
    saved after `based_on`; it is in `details.current`.
    """
    return await service.save_version(
        session,
        project_id=member.project_id,
        scorer_id=scorer_id,
        wanted=body,
        author_id=member.user_id,
    )


@router.get("/{scorer_id}/versions", response_model=Page[ScorerVersionRead])
async def list_scorer_versions(
    scorer_id: UUID, member: Viewer, page: PageParams, session: Session
) -> Slice[ScorerVersionRead]:
    """Lists a scorer's versions, newest first."""
    return await service.list_versions(
        session, project_id=member.project_id, scorer_id=scorer_id, page=page
    )


@router.get("/{scorer_id}/diff")
async def compare_scorer_versions(
    scorer_id: UUID,
    member: Viewer,
    session: Session,
    left: Annotated[UUID, Query(alias="from", description="A version's id")],
    right: Annotated[UUID, Query(alias="to", description="A version's id")],
) -> ChangesRead:
    """Compares two versions, value by value."""
    return await service.compare_versions(
        session, project_id=member.project_id, scorer_id=scorer_id, left=left, right=right
    )


@router.post("/{scorer_id}/duplicate", status_code=status.HTTP_201_CREATED)
async def duplicate_scorer(
    scorer_id: UUID, body: NamedCopyRequest, member: Editor, session: Session
) -> SavedScorerRead:
    """Creates a new scorer from a copy of this one's latest version."""
    return await service.duplicate_scorer(
        session,
        project_id=member.project_id,
        scorer_id=scorer_id,
        name=body.name,
        author_id=member.user_id,
    )


@router.post("/{scorer_id}/archive")
async def archive_scorer(scorer_id: UUID, member: Editor, session: Session) -> SavedScorerRead:
    """Archives a scorer: it becomes read-only and leaves the list of active scorers."""
    return await service.set_archived(
        session, project_id=member.project_id, scorer_id=scorer_id, is_archived=True
    )


@router.post("/{scorer_id}/unarchive")
async def unarchive_scorer(scorer_id: UUID, member: Editor, session: Session) -> SavedScorerRead:
    """Makes an archived scorer active again."""
    return await service.set_archived(
        session, project_id=member.project_id, scorer_id=scorer_id, is_archived=False
    )
