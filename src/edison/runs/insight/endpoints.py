"""Endpoints of model insight."""

from typing import Annotated

from edison.api.parameters import read_into
from edison.api.routing import api_router
from edison.api.session import CurrentDatabase
from edison.runs.insight import service
from edison.runs.insight.schemas import (
    InsightFilter,
    ModelChoiceRead,
    ModelInsightRead,
    RecommendFilter,
)
from edison.workspace.projects.access import ViewerWithoutTransaction

router = api_router("/projects/{project}/models", tag="models")


@router.get("/insight")
async def get_model_insight(
    member: ViewerWithoutTransaction,
    database: CurrentDatabase,
    wanted: Annotated[InsightFilter, read_into(InsightFilter)],
) -> ModelInsightRead:
    """Returns the most accurate, the fastest and the best value of the models in finished runs,
    each with its evidence or the reason why the data cannot tell.
    """
    return await service.get_insight(database, project_id=member.project_id, wanted=wanted)


@router.get("/recommend")
async def recommend_model(
    member: ViewerWithoutTransaction,
    database: CurrentDatabase,
    wanted: Annotated[RecommendFilter, read_into(RecommendFilter)],
) -> ModelChoiceRead:
    """Returns the cheapest model that is proven to reach the required quality within the maximum
    cost, or the reason why there is none.
    """
    return await service.recommend_model(database, project_id=member.project_id, wanted=wanted)
