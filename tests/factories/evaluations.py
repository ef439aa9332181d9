"""Evaluations of the command line."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.evals.models import Evaluation
from edison.evals.repository import Evaluations
from edison.kit import clock, ids


async def add_evaluation(session: AsyncSession, project_id: UUID) -> Evaluation:
    evaluation = Evaluation(
        id=ids.new_id(),
        project_id=project_id,
        name="Evaluation",
        fingerprint="",
        tags={},
        created_at=clock.now(),
    )
    await Evaluations(session).add(evaluation)
    return evaluation
