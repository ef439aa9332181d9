"""Endpoints of annotation queues."""

from typing import Annotated
from uuid import UUID

from fastapi import Query, Response, status
from fastapi.responses import StreamingResponse

from edison.api.downloads import download, file_responses
from edison.api.pagination import Slice
from edison.api.parameters import PageParams
from edison.api.routing import api_router
from edison.api.schema import Page
from edison.api.session import CurrentDatabase, Session
from edison.runs.scoring import queues, results
from edison.runs.scoring.schemas.queues import (
    AnnotationQueueChange,
    AnnotationQueueRead,
    AnnotationQueueRequest,
    AnnotationResults,
    SamplePreview,
    SampleRequest,
)
from edison.runs.scoring.states import AnnotationQueueState
from edison.workspace.projects.access import Editor, EditorWithoutTransaction, Viewer

router = api_router("/projects/{project}/annotation-queues", tag="annotation")


@router.get("", response_model=Page[AnnotationQueueRead])
async def list_annotation_queues(
    member: Viewer,
    page: PageParams,
    session: Session,
    state: Annotated[AnnotationQueueState | None, Query()] = None,
) -> Slice[AnnotationQueueRead]:
    """Returns the annotation queues, latest first."""
    return await queues.list_queues(
        session, project_id=member.project_id, user_id=member.user_id, state=state, page=page
    )


@router.post("", status_code=status.HTTP_201_CREATED)
async def create_annotation_queue(
    body: AnnotationQueueRequest, member: Editor, session: Session
) -> AnnotationQueueRead:
    """Creates a queue in which people score a sample of outputs."""
    return await queues.create_queue(
        session, project_id=member.project_id, author_id=member.user_id, wanted=body
    )


@router.post("/preview")
async def preview_annotation_sample(
    body: SampleRequest, member: Editor, session: Session
) -> SamplePreview:
    """Returns how many outputs are available for a sample. Creates nothing."""
    return await queues.preview_sample(session, project_id=member.project_id, wanted=body)


@router.get("/{queue_id}")
async def get_annotation_queue(
    queue_id: UUID, member: Viewer, session: Session
) -> AnnotationQueueRead:
    """Returns a queue with its question, assignees and progress."""
    return await queues.get_queue(
        session, project_id=member.project_id, queue_id=queue_id, user_id=member.user_id
    )


@router.patch("/{queue_id}")
async def change_annotation_queue(
    queue_id: UUID, body: AnnotationQueueChange, member: Editor, session: Session
) -> AnnotationQueueRead:
    """Changes the name or the instructions of a queue."""
    return await queues.change_queue(
        session,
        project_id=member.project_id,
        queue_id=queue_id,
        user_id=member.user_id,
        change=body,
    )


@router.delete("/{queue_id}", status_code=status.HTTP_204_NO_CONTENT)
async def delete_annotation_queue(queue_id: UUID, member: Editor, session: Session) -> Response:
    """Deletes a queue. Its human scores stay with the outputs."""
    await queues.delete_queue(session, project_id=member.project_id, queue_id=queue_id)
    return Response(status_code=status.HTTP_204_NO_CONTENT)


@router.post("/{queue_id}/pause")
async def pause_annotation_queue(
    queue_id: UUID, member: Editor, session: Session
) -> AnnotationQueueRead:
    """Pauses a queue: scoring stops until it is opened."""
    return await _move(session, member, queue_id, AnnotationQueueState.PAUSED)


@router.post("/{queue_id}/open")
async def open_annotation_queue(
    queue_id: UUID, member: Editor, session: Session
) -> AnnotationQueueRead:
    """Opens a paused or closed queue."""
    return await _move(session, member, queue_id, AnnotationQueueState.OPEN)


@router.post("/{queue_id}/close")
async def close_annotation_queue(
    queue_id: UUID, member: Editor, session: Session
) -> AnnotationQueueRead:
    """Closes a queue. Scores are kept."""
    return await _move(session, member, queue_id, AnnotationQueueState.CLOSED)


async def _move(
    session: Session, member: Editor, queue_id: UUID, state: AnnotationQueueState
) -> AnnotationQueueRead:
    return await queues.move_queue(
        session,
        project_id=member.project_id,
        queue_id=queue_id,
        user_id=member.user_id,
        state=state,
    )


@router.get("/{queue_id}/results")
async def get_annotation_results(
    queue_id: UUID, member: Editor, session: Session
) -> AnnotationResults:
    """Returns the agreement between people, and the mean human score of each variant."""
    return await results.read_results(
        session, project_id=member.project_id, queue_id=queue_id, user_id=member.user_id
    )


@router.get("/{queue_id}/export", response_class=StreamingResponse, responses=file_responses("csv"))
async def export_annotation_results(
    queue_id: UUID, member: EditorWithoutTransaction, database: CurrentDatabase
) -> StreamingResponse:
    """Exports every answer with its output as CSV. Texts that a spreadsheet would run as a formula
    begin with an apostrophe.
    """
    queue = await results.begin_export(
        database, project_id=member.project_id, queue_id=queue_id, user_id=member.user_id
    )
    return download(results.stream_csv(database, queue=queue), name=queue.name, file_format="csv")
