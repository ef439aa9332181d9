"""Endpoints of judged questions."""

from typing import Annotated
from uuid import UUID

from edison.api.pagination import Slice
from edison.api.parameters import PageParams, read_into
from edison.api.routing import api_router, raises
from edison.api.schema import Page
from edison.api.session import CurrentDatabase
from edison.insights.questions import service
from edison.insights.questions.schemas import (
    DefaultCriterionRead,
    JudgedQuestion,
    QuestionFilter,
    QuestionReport,
)
from edison.kit.errors import Conflict
from edison.workspace.projects.access import Viewer, ViewerWithoutTransaction

router = api_router("/projects/{project}", tag="arena")


@router.get("/arena/question-criteria")
async def list_question_criteria(member: Viewer) -> list[DefaultCriterionRead]:
    """Returns the criteria by which questions are judged unless a request brings its own."""
    return service.list_criteria()


@router.get("/runs/{run_id}/questions", openapi_extra=raises(Conflict))
async def get_question_report(
    run_id: UUID, member: ViewerWithoutTransaction, database: CurrentDatabase
) -> QuestionReport:
    """Returns the result of a run that judged questions: how many are weak, and the quality per
    generator.
    """
    return await service.get_report(database, project_id=member.project_id, run_id=run_id)


@router.get(
    "/runs/{run_id}/questions/rows",
    response_model=Page[JudgedQuestion],
    openapi_extra=raises(Conflict),
)
async def list_judged_questions(
    run_id: UUID,
    member: ViewerWithoutTransaction,
    database: CurrentDatabase,
    wanted: Annotated[QuestionFilter, read_into(QuestionFilter)],
    page: PageParams,
) -> Slice[JudgedQuestion]:
    """Returns the judged questions with the verdict of each judge, the weakest first."""
    return await service.list_questions(
        database, project_id=member.project_id, run_id=run_id, wanted=wanted, page=page
    )
