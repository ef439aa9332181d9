"""Endpoints for the cases of a dataset."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import status

from edison.api.pagination import Slice
from edison.api.parameters import PageParams, read_into
from edison.api.routing import api_router
from edison.api.schema import Page
from edison.api.session import Session
from edison.library.datasets import bulk, cases
from edison.library.datasets.models import Case
from edison.library.datasets.schemas.datasets import (
    BulkRequest,
    BulkResult,
    CaseChange,
    CaseFilter,
    CaseRead,
    CaseRequest,
    CaseVersionRead,
)
from edison.workspace.projects.access import Editor, Viewer

router = api_router("/projects/{project}/datasets/{dataset_id}/cases", tag="datasets")


@router.get("", response_model=Page[CaseRead])
async def list_cases(
    dataset_id: UUID,
    member: Viewer,
    wanted: Annotated[CaseFilter, read_into(CaseFilter)],
    page: PageParams,
    session: Session,
) -> Slice[Any]:
    """Lists the dataset's cases in order.

    Sort by `position`, `updated_at` or `difficulty`; `q` searches inputs, expected answers and
    notes, ignoring letter case and white space.
    """
    return await cases.list_cases(
        session,
        project_id=member.project_id,
        dataset_id=dataset_id,
        wanted=wanted,
        page=page,
    )


@router.post("", response_model=CaseRead, status_code=status.HTTP_201_CREATED)
async def create_case(
    dataset_id: UUID, body: CaseRequest, member: Editor, session: Session
) -> Case:
    """Creates a case at the end of the dataset."""
    return await cases.create_case(
        session,
        project_id=member.project_id,
        dataset_id=dataset_id,
        wanted=body,
        author_id=member.user_id,
    )


@router.post("/bulk")
async def change_cases(
    dataset_id: UUID, body: BulkRequest, member: Editor, session: Session
) -> BulkResult:
    """Tags, untags, splits or deletes many cases at once."""
    return await bulk.change_cases(
        session,
        dataset=(member.project_id, dataset_id),
        selection=body.selection,
        change=body.change,
        author_id=member.user_id,
    )


@router.get("/{case_id}", response_model=CaseRead)
async def get_case(dataset_id: UUID, case_id: UUID, member: Viewer, session: Session) -> Case:
    """Returns the current version of a case."""
    return await cases.get_case(
        session, project_id=member.project_id, dataset_id=dataset_id, case_id=case_id
    )


@router.patch("/{case_id}", response_model=CaseRead)
async def change_case(
    dataset_id: UUID, case_id: UUID, body: CaseChange, member: Editor, session: Session
) -> Case:
    """Changes a case if it still has the given version."""
    return await cases.change_case(
        session,
        case=(member.project_id, dataset_id, case_id),
        change=body,
        author_id=member.user_id,
    )


@router.delete("/{case_id}", status_code=status.HTTP_204_NO_CONTENT)
async def delete_case(dataset_id: UUID, case_id: UUID, member: Editor, session: Session) -> None:
    """Deletes a case; the dataset's `undo` restores it."""
    await bulk.delete_case(
        session,
        project_id=member.project_id,
        dataset_id=dataset_id,
        case_id=case_id,
        author_id=member.user_id,
    )


@router.get("/{case_id}/versions", response_model=Page[CaseVersionRead])
async def list_case_versions(
    dataset_id: UUID, case_id: UUID, member: Viewer, page: PageParams, session: Session
) -> Slice[CaseVersionRead]:
    """Lists earlier versions of the case, latest first."""
    return await cases.list_versions(
        session,
        project_id=member.project_id,
        dataset_id=dataset_id,
        case_id=case_id,
        page=page,
    )
