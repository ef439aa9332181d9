"""Endpoints for datasets."""

from typing import Annotated
from uuid import UUID

from fastapi import Query, status

from edison.api.pagination import Slice
from edison.api.parameters import PageParams
from edison.api.routing import api_router
from edison.api.schema import CleanText, Page
from edison.api.session import Session
from edison.library.datasets import bulk, service
from edison.library.datasets.contents import LONGEST_TAG
from edison.library.datasets.models import Dataset
from edison.library.datasets.schemas.datasets import (
    DatasetChange,
    DatasetDetail,
    DatasetRead,
    DatasetRequest,
    FacetsRead,
    UndoRequest,
    VariableRead,
)
from edison.workspace.projects.access import Editor, Viewer

router = api_router("/projects/{project}/datasets", tag="datasets")


@router.get("", response_model=Page[DatasetRead])
async def list_datasets(
    member: Viewer,
    page: PageParams,
    session: Session,
    is_archived: Annotated[bool | None, Query(description="Only these; all if unsaid")] = None,
    tag: Annotated[
        CleanText | None, Query(max_length=LONGEST_TAG, description="Of the dataset itself")
    ] = None,
) -> Slice[Dataset]:
    """Lists the project's datasets, oldest first.

    Sort by `created_at`, `updated_at`, `name` or `case_count`; `q` searches names.
    """
    return await service.list_datasets(
        session, project_id=member.project_id, is_archived=is_archived, tag=tag, page=page
    )


@router.post("", status_code=status.HTTP_201_CREATED)
async def create_dataset(body: DatasetRequest, member: Editor, session: Session) -> DatasetDetail:
    """Creates an empty dataset."""
    return await service.create_dataset(session, project_id=member.project_id, wanted=body)


@router.get("/{dataset_id}")
async def get_dataset(dataset_id: UUID, member: Viewer, session: Session) -> DatasetDetail:
    """Returns a dataset, with the bulk change that can be undone."""
    return await service.get_dataset(session, project_id=member.project_id, dataset_id=dataset_id)


@router.patch("/{dataset_id}")
async def change_dataset(
    dataset_id: UUID, body: DatasetChange, member: Editor, session: Session
) -> DatasetDetail:
    """Renames, describes, tags, archives or unarchives a dataset."""
    return await service.change_dataset(
        session, project_id=member.project_id, dataset_id=dataset_id, change=body
    )


@router.delete("/{dataset_id}", status_code=status.HTTP_204_NO_CONTENT)
async def delete_dataset(dataset_id: UUID, member: Editor, session: Session) -> None:
    """Deletes a dataset that is not in use, with all its cases."""
    await service.delete_dataset(session, project_id=member.project_id, dataset_id=dataset_id)


@router.get("/{dataset_id}/variables")
async def list_dataset_variables(
    dataset_id: UUID, member: Viewer, session: Session
) -> Page[VariableRead]:
    """Lists the variables of the dataset's cases with the number of cases that have each."""
    items = await service.list_variables(
        session, project_id=member.project_id, dataset_id=dataset_id
    )
    return Page(items=items, next=None, total=len(items))


@router.get("/{dataset_id}/facets")
async def count_dataset_facets(dataset_id: UUID, member: Viewer, session: Session) -> FacetsRead:
    """Returns the number of cases per tag, split, origin and difficulty."""
    return await service.count_facets(session, project_id=member.project_id, dataset_id=dataset_id)


@router.post("/{dataset_id}/undo")
async def undo_bulk_change(
    dataset_id: UUID, body: UndoRequest, member: Editor, session: Session
) -> DatasetDetail:
    """Undoes the last bulk change, unless its cases were changed since."""
    await bulk.undo(
        session,
        project_id=member.project_id,
        dataset_id=dataset_id,
        change_id=body.change_id,
        author_id=member.user_id,
    )
    return await service.get_dataset(session, project_id=member.project_id, dataset_id=dataset_id)
