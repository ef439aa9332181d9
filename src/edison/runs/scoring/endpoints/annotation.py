"""Endpoints for scoring the items of an annotation queue."""

from typing import Annotated
from uuid import UUID

from fastapi import Depends

from edison.api.routing import api_router
from edison.api.session import Session
from edison.runs.scoring import annotate
from edison.runs.scoring.annotate import Annotator
from edison.runs.scoring.schemas.queues import AnnotationAnswer, AnnotationStep, SkipRequest
from edison.workspace.projects.access import Reviewer

router = api_router("/projects/{project}/annotation-queues/{queue_id}", tag="annotation")


async def _annotator(queue_id: UUID, member: Reviewer) -> Annotator:
    return Annotator(project_id=member.project_id, queue_id=queue_id, user_id=member.user_id)


Who = Annotated[Annotator, Depends(_annotator)]


@router.post("/next")
async def claim_next_item(who: Who, session: Session) -> AnnotationStep:
    """Returns your claimed item and renews its lease, or claims the next free one."""
    return await annotate.claim_next(session, who=who)


@router.put("/items/{item_id}/score")
async def score_item(
    item_id: UUID, body: AnnotationAnswer, who: Who, session: Session
) -> AnnotationStep:
    """Scores a claimed item and claims the next."""
    return await annotate.score(session, who=who, item_id=item_id, wanted=body)


@router.post("/items/{item_id}/skip")
async def skip_item(item_id: UUID, body: SkipRequest, who: Who, session: Session) -> AnnotationStep:
    """Skips a claimed item and claims the next."""
    return await annotate.skip(session, who=who, item_id=item_id, reason=body.reason)


@router.post("/items/{item_id}/undo")
async def undo_item(item_id: UUID, who: Who, session: Session) -> AnnotationStep:
    """Claims an item again that you scored or skipped. Its score is removed."""
    return await annotate.undo(session, who=who, item_id=item_id)
