"""Routes for annotation queues as wholes."""

from typing import Annotated
from uuid import UUID

from fastapi import Query, Response, status
from fastapi.responses import StreamingResponse

from edison.api.downloads import download, file_responses
from edison.api.pagination import PageParams, Slice
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
from edison.workspace.projects.access import Editor, EditorBriefly, Viewer

router = api_router("/projects/{project}/annotation-queues", tag="annotation")


@router.get("", response_model=Page[AnnotationQueueRead])
async def list_annotation_queues(
    member: Viewer,
    page: PageParams,
    session: Session,
    state: Annotated[AnnotationQueueState | None, Query()] = None,
) -> Slice[AnnotationQueueRead]:
    """Queues of outputs to score, the latest first."""
    return await queues.list_queues(
        session, project_id=member.project_id, user_id=member.user_id, state=state, page=page
    )


@router.post("", status_code=status.HTTP_201_CREATED)
async def create_annotation_queue(
    body: AnnotationQueueRequest, member: Editor, session: Session
) -> AnnotationQueueRead:
    """Ask people to score a sample of outputs."""
    return await queues.create_queue(
        session, project_id=member.project_id, author_id=member.user_id, wanted=body
    )


@router.post("/preview")
async def preview_annotation_sample(
    body: SampleRequest, member: Editor, session: Session
) -> SamplePreview:
    """How many outputs there are to ask about. Nothing is made."""
    return await queues.preview_sample(session, project_id=member.project_id, wanted=body)


@router.get("/{queue_id}")
async def get_annotation_queue(
    queue_id: UUID, member: Viewer, session: Session
) -> AnnotationQueueRead:
    """A queue: what it asks, whom, and how far it is."""
    return await queues.get_queue(
        session, project_id=member.project_id, queue_id=queue_id, user_id=member.user_id
    )


@router.patch("/{queue_id}")
async def change_annotation_queue(
    queue_id: UUID, body: AnnotationQueueChange, member: Editor, session: Session
) -> AnnotationQueueRead:
    """Give a queue another name or other instructions."""
    return await queues.change_queue(
        session,
        project_id=member.project_id,
        queue_id=queue_id,
        user_id=member.user_id,
        change=body,
    )


@router.delete("/{queue_id}", status_code=status.HTTP_204_NO_CONTENT)
async def delete_annotation_queue(queue_id: UUID, member: Editor, session: Session) -> Response:
    """Delete a queue. The scores that people gave stay with the outputs."""
    await queues.delete_queue(session, project_id=member.project_id, queue_id=queue_id)
    return Response(status_code=status.HTTP_204_NO_CONTENT)


@router.post("/{queue_id}/pause")
async def pause_annotation_queue(
    queue_id: UUID, member: Editor, session: Session
) -> AnnotationQueueRead:
    """Let nobody score for a while."""
    return await _move(session, member, queue_id, AnnotationQueueState.PAUSED)


@router.post("/{queue_id}/open")
async def open_annotation_queue(
    queue_id: UUID, member: Editor, session: Session
) -> AnnotationQueueRead:
    """Go on with a queue that was paused or closed."""
    return await _move(session, member, queue_id, AnnotationQueueState.OPEN)


@router.post("/{queue_id}/close")
async def close_annotation_queue(
    queue_id: UUID, member: Editor, session: Session
) -> AnnotationQueueRead:
    """Stop asking. What is scored stays."""
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
    """How far people agree, and what they say about each variant."""
    return await results.read_results(
        session, project_id=member.project_id, queue_id=queue_id, user_id=member.user_id
    )


@router.get("/{queue_id}/export", response_class=StreamingResponse, responses=file_responses("csv"))
async def export_annotation_results(
    queue_id: UUID, member: EditorBriefly, database: CurrentDatabase
) -> StreamingResponse:
    """Every answer with the output it is about, as CSV; formulas are guarded."""
    queue = await results.begin_export(
        database, project_id=member.project_id, queue_id=queue_id, user_id=member.user_id
    )
    return download(results.stream_csv(database, queue=queue), name=queue.name, file_format="csv")
