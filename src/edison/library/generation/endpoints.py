"""Endpoints for generating cases with a model."""

from typing import Annotated
from uuid import UUID

from fastapi import Depends, status

from edison.api.pagination import Slice
from edison.api.parameters import PageParams
from edison.api.routing import api_router, raises
from edison.api.schema import Page
from edison.api.session import CurrentDatabase, Session
from edison.kit.errors import Exhausted
from edison.library.calls.access import CurrentGateway
from edison.library.generation import case_author, rewrite, service
from edison.library.generation.prepare import DatasetRef
from edison.library.generation.schemas import (
    AcceptRequest,
    AcceptResult,
    CaseAuthorRead,
    CaseDraftRead,
    EstimateRead,
    GenerationDetail,
    GenerationRead,
    GenerationRequest,
    RewriteRead,
    RewriteRequest,
)
from edison.workspace.projects.access import Editor, EditorWithoutTransaction, Viewer

router = api_router("/projects/{project}/datasets/{dataset_id}/generations", tag="datasets")
cases_router = api_router("/projects/{project}/datasets/{dataset_id}/cases", tag="datasets")


async def _seen(dataset_id: UUID, member: Viewer) -> DatasetRef:
    return DatasetRef(project_id=member.project_id, dataset_id=dataset_id)


SeenPlace = Annotated[DatasetRef, Depends(_seen)]


@router.get("", response_model=Page[GenerationRead])
async def list_generations(
    place: SeenPlace, page: PageParams, session: Session
) -> Slice[GenerationRead]:
    """Lists the dataset's generations, latest first."""
    return await service.list_generations(session, place=place, page=page)


@router.post("", status_code=status.HTTP_201_CREATED, openapi_extra=raises(Exhausted))
async def create_generation(
    dataset_id: UUID,
    body: GenerationRequest,
    member: EditorWithoutTransaction,
    database: CurrentDatabase,
) -> GenerationDetail:
    """Starts generating cases with a model. They are drafts until added to the dataset."""
    return await service.create_generation(
        database,
        place=DatasetRef(project_id=member.project_id, dataset_id=dataset_id),
        wanted=body,
        author_id=member.user_id,
    )


@router.post("/estimate")
async def estimate_generation(
    dataset_id: UUID,
    body: GenerationRequest,
    member: EditorWithoutTransaction,
    database: CurrentDatabase,
) -> EstimateRead:
    """Estimates calls, tokens, cost and time of a generation. Makes no calls."""
    return await service.estimate_generation(
        database,
        place=DatasetRef(project_id=member.project_id, dataset_id=dataset_id),
        wanted=body,
    )


@router.get("/{generation_id}")
async def get_generation(
    generation_id: UUID, place: SeenPlace, session: Session
) -> GenerationDetail:
    """Returns a generation with its request and progress."""
    return await service.get_generation(session, place=place, generation_id=generation_id)


@router.get("/{generation_id}/drafts", response_model=Page[CaseDraftRead])
async def list_generation_drafts(
    generation_id: UUID, place: SeenPlace, page: PageParams, session: Session
) -> Slice[CaseDraftRead]:
    """Lists the drafts in order, with near copies marked."""
    return await service.list_drafts(session, place=place, generation_id=generation_id, page=page)


@router.post("/{generation_id}/cancel")
async def cancel_generation(
    dataset_id: UUID, generation_id: UUID, member: Editor, session: Session
) -> GenerationDetail:
    """Cancels a generation. Its drafts are kept."""
    return await service.cancel_generation(
        session,
        place=DatasetRef(project_id=member.project_id, dataset_id=dataset_id),
        generation_id=generation_id,
    )


@router.post("/{generation_id}/resume", openapi_extra=raises(Exhausted))
async def resume_generation(
    dataset_id: UUID, generation_id: UUID, member: Editor, session: Session
) -> GenerationDetail:
    """Resumes a failed generation if `is_resumable`. Its drafts are kept, and calls that were paid
    for are not repeated.
    """
    return await service.resume_generation(
        session,
        place=DatasetRef(project_id=member.project_id, dataset_id=dataset_id),
        generation_id=generation_id,
    )


@router.post("/{generation_id}/accept")
async def accept_drafts(
    dataset_id: UUID,
    generation_id: UUID,
    body: AcceptRequest,
    member: Editor,
    session: Session,
) -> AcceptResult:
    """Adds drafts to the dataset as cases, each at most once; the dataset's `undo` removes them."""
    return await service.accept_drafts(
        session,
        place=DatasetRef(project_id=member.project_id, dataset_id=dataset_id),
        generation_id=generation_id,
        wanted=body,
        author_id=member.user_id,
    )


@router.delete("/{generation_id}", status_code=status.HTTP_204_NO_CONTENT)
async def delete_generation(
    dataset_id: UUID, generation_id: UUID, member: Editor, session: Session
) -> None:
    """Deletes a generation with its drafts. Cases that were added are kept."""
    await service.delete_generation(
        session,
        place=DatasetRef(project_id=member.project_id, dataset_id=dataset_id),
        generation_id=generation_id,
    )


@cases_router.get("/{case_id}/author")
async def get_case_author(
    case_id: UUID, place: SeenPlace, session: Session
) -> CaseAuthorRead | None:
    """Returns the model that wrote the case and the prompt it was asked with; null for a case that
    no model wrote, or whose generation was deleted.
    """
    return await case_author.find_author(session, place=place, case_id=case_id)


@cases_router.post("/{case_id}/rewrite", openapi_extra=raises(Exhausted))
async def propose_rewrite(
    dataset_id: UUID,
    case_id: UUID,
    body: RewriteRequest,
    member: EditorWithoutTransaction,
    database: CurrentDatabase,
    gateway: CurrentGateway,
) -> RewriteRead:
    """Asks a model for a better wording of one input of a case. Changes nothing: accept it by
    changing the case.
    """
    return await rewrite.propose_rewrite(
        database,
        gateway,
        place=DatasetRef(project_id=member.project_id, dataset_id=dataset_id),
        case_id=case_id,
        wanted=body,
    )
