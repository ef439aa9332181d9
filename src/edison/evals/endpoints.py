"""Endpoints of evaluations."""

from uuid import UUID

from fastapi import status

from edison.api.routing import api_router, raises
from edison.api.session import CurrentDatabase, Session
from edison.evals import service
from edison.evals.schemas import EvaluationRead, EvaluationRequest
from edison.kit.errors import Exhausted
from edison.library.calls.access import CurrentGateway
from edison.workspace.projects.access import EditorWithoutTransaction, Viewer

router = api_router("/projects/{project}/evaluations", tag="evaluations")


@router.post("", status_code=status.HTTP_201_CREATED, openapi_extra=raises(Exhausted))
async def start_evaluation(
    body: EvaluationRequest,
    member: EditorWithoutTransaction,
    database: CurrentDatabase,
    gateway: CurrentGateway,
) -> EvaluationRead:
    """Starts a run with a cost limit of its own. The run pauses before a call that could exceed
    it.
    """
    return await service.start_evaluation(
        database,
        project_id=member.project_id,
        wanted=body,
        author_id=member.user_id,
        at_once=gateway.calls_per_credential,
    )


@router.get("/{evaluation_id}")
async def get_evaluation(evaluation_id: UUID, member: Viewer, session: Session) -> EvaluationRead:
    """Returns an evaluation with the progress of its runs."""
    return await service.get_evaluation(
        session, project_id=member.project_id, evaluation_id=evaluation_id
    )
