"""Endpoints for saved rubrics and their versions."""

from typing import Annotated
from uuid import UUID

from fastapi import Query, status

from edison.api.pagination import Slice
from edison.api.parameters import PageParams, read_into
from edison.api.routing import api_router
from edison.api.schema import Page
from edison.api.session import Session
from edison.library.scorers import preview, rubrics
from edison.library.scorers.schemas.rubrics import (
    RubricPreviewRead,
    RubricPreviewRequest,
    RubricRead,
    RubricRequest,
    RubricSaved,
    RubricSummary,
    RubricVersionRead,
    RubricVersionRequest,
)
from edison.library.scorers.schemas.scorers import NamedChange, NamedCopyRequest, RubricFilter
from edison.workspace.projects.access import Editor, Viewer, ViewerWithoutTransaction
from edison.workspace.resources.schemas import ChangesRead

router = api_router("/projects/{project}/rubrics", tag="rubrics")


@router.post("/preview")
async def preview_rubric(
    body: RubricPreviewRequest, member: ViewerWithoutTransaction
) -> RubricPreviewRead:
    """Returns the prompt that a judge gets for these criteria. Makes no call and stores nothing."""
    return await preview.preview_rubric(body)


@router.get("", response_model=Page[RubricSummary])
async def list_rubrics(
    member: Viewer,
    wanted: Annotated[RubricFilter, read_into(RubricFilter)],
    page: PageParams,
    session: Session,
) -> Slice[RubricSummary]:
    """Lists the project's saved rubrics, last changed first.

    Sort by `updated_at`, `created_at` or `name`; `q` searches names.
    """
    return await rubrics.list_rubrics(
        session, project_id=member.project_id, wanted=wanted, page=page
    )


@router.post("", status_code=status.HTTP_201_CREATED)
async def create_rubric(body: RubricRequest, member: Editor, session: Session) -> RubricSaved:
    """Saves a rubric as its first version.

    All problems are reported at once. Weights that do not sum to 1 are normalised, which `notices`
    reports.
    """
    return await rubrics.create_rubric(
        session, project_id=member.project_id, wanted=body, author_id=member.user_id
    )


@router.get("/{rubric_id}")
async def read_rubric(rubric_id: UUID, member: Viewer, session: Session) -> RubricRead:
    """Returns a rubric with its latest version."""
    return await rubrics.get_rubric(session, project_id=member.project_id, rubric_id=rubric_id)


@router.patch("/{rubric_id}")
async def change_rubric(
    rubric_id: UUID, body: NamedChange, member: Editor, session: Session
) -> RubricRead:
    """Renames or describes a rubric, without creating a version."""
    return await rubrics.change_rubric(
        session, project_id=member.project_id, rubric_id=rubric_id, change=body
    )


@router.delete("/{rubric_id}", status_code=status.HTTP_204_NO_CONTENT)
async def delete_rubric(rubric_id: UUID, member: Editor, session: Session) -> None:
    """Deletes a rubric with its versions. Refused with `IN_USE` while scorers use it."""
    await rubrics.delete_rubric(session, project_id=member.project_id, rubric_id=rubric_id)


@router.post("/{rubric_id}/versions", status_code=status.HTTP_201_CREATED)
async def save_rubric_version(
    rubric_id: UUID, body: RubricVersionRequest, member: Editor, session: Session
) -> RubricSaved:
    """Saves changed criteria as a new version.

    Refused with `UNCHANGED` when they equal the latest version, and with `STALE` when a version was
    saved after `based_on`; it is in `details.current`.
    """
    return await rubrics.save_version(
        session,
        project_id=member.project_id,
        rubric_id=rubric_id,
        wanted=body,
        author_id=member.user_id,
    )


@router.get("/{rubric_id}/versions", response_model=Page[RubricVersionRead])
async def list_rubric_versions(
    rubric_id: UUID, member: Viewer, page: PageParams, session: Session
) -> Slice[RubricVersionRead]:
    """Lists a rubric's versions, newest first."""
    return await rubrics.list_versions(
        session, project_id=member.project_id, rubric_id=rubric_id, page=page
    )


@router.get("/{rubric_id}/diff")
async def compare_rubric_versions(
    rubric_id: UUID,
    member: Viewer,
    session: Session,
    left: Annotated[UUID, Query(alias="from", description="A version's id")],
    right: Annotated[UUID, Query(alias="to", description="A version's id")],
) -> ChangesRead:
    """Compares two versions, criterion by criterion."""
    return await rubrics.compare_versions(
        session, project_id=member.project_id, rubric_id=rubric_id, left=left, right=right
    )


@router.post("/{rubric_id}/duplicate", status_code=status.HTTP_201_CREATED)
async def duplicate_rubric(
    rubric_id: UUID, body: NamedCopyRequest, member: Editor, session: Session
) -> RubricRead:
    """Creates a new rubric from a copy of this one's criteria."""
    return await rubrics.duplicate_rubric(
        session,
        project_id=member.project_id,
        rubric_id=rubric_id,
        name=body.name,
        author_id=member.user_id,
    )


@router.post("/{rubric_id}/archive")
async def archive_rubric(rubric_id: UUID, member: Editor, session: Session) -> RubricRead:
    """Archives a rubric: it becomes read-only and leaves the list of active rubrics."""
    return await rubrics.set_archived(
        session, project_id=member.project_id, rubric_id=rubric_id, is_archived=True
    )


@router.post("/{rubric_id}/unarchive")
async def unarchive_rubric(rubric_id: UUID, member: Editor, session: Session) -> RubricRead:
    """Makes an archived rubric active again."""
    return await rubrics.set_archived(
        session, project_id=member.project_id, rubric_id=rubric_id, is_archived=False
    )
