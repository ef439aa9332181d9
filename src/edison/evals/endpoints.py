"""Endpoints of evaluations."""

from typing import Annotated
from uuid import UUID

from fastapi import Query, status

from edison.api.routing import api_router, raises
from edison.api.session import CurrentDatabase, Session
from edison.evals import measured, service
from edison.evals.schemas import (
    EvaluationBaseline,
    EvaluationCellPage,
    EvaluationPlan,
    EvaluationRead,
    EvaluationRequest,
    MeasuredResults,
)
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


@router.post("/plans", status_code=status.HTTP_201_CREATED, openapi_extra=raises(Exhausted))
async def start_evaluation_plan(
    body: EvaluationPlan, member: EditorWithoutTransaction, database: CurrentDatabase
) -> EvaluationRead:
    """Starts or resumes an evaluation that was read from a configuration, with models of the
    project. Each group of tests becomes a run.
    """
    return await service.start_plan(
        database, project_id=member.project_id, wanted=body, author_id=member.user_id
    )


@router.post("/results", status_code=status.HTTP_201_CREATED)
async def store_evaluation_results(
    body: MeasuredResults, member: EditorWithoutTransaction, database: CurrentDatabase
) -> EvaluationRead:
    """Stores answers and scores of a program as completed runs, all or none. No model is called."""
    return await measured.store_results(
        database, project_id=member.project_id, wanted=body, author_id=member.user_id
    )


@router.get("/{evaluation_id}")
async def get_evaluation(evaluation_id: UUID, member: Viewer, session: Session) -> EvaluationRead:
    """Returns an evaluation with the progress of its runs."""
    return await service.get_evaluation(
        session, project_id=member.project_id, evaluation_id=evaluation_id
    )


@router.get("/{evaluation_id}/cells")
async def list_evaluation_cells(
    evaluation_id: UUID,
    member: Viewer,
    session: Session,
    run: Annotated[int, Query(ge=0, description="Position of the run in the evaluation")] = 0,
    after: Annotated[int, Query(ge=0, description="`next` of the previous page")] = 0,
) -> EvaluationCellPage:
    """Returns answers of a run with the verdicts of their assertions, in order of the cases."""
    return await service.list_cells(
        session,
        project_id=member.project_id,
        evaluation_id=evaluation_id,
        position=run,
        after=after,
    )


@router.get("/{evaluation_id}/baseline")
async def get_evaluation_baseline(
    evaluation_id: UUID, member: Viewer, session: Session
) -> EvaluationBaseline:
    """Returns the verdicts of an evaluation, for a comparison with a later one."""
    return await service.get_baseline(
        session, project_id=member.project_id, evaluation_id=evaluation_id
    )
