"""Endpoints of strategies, which make suggestions."""

from edison.api.routing import api_router
from edison.loops.experiments.drafts.strategy import list_strategy_kinds
from edison.loops.experiments.schemas.drafts import StrategyKindRead
from edison.workspace.projects.access import Viewer

router = api_router("/projects/{project}/optimizations", tag="experiments")


@router.get("/kinds")
async def list_optimization_kinds(member: Viewer) -> list[StrategyKindRead]:
    """Returns the strategies with the form of their options."""
    return list_strategy_kinds()
