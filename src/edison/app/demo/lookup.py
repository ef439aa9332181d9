"""Finds prompts, datasets, scorers and models of the demo project by name, and its simulated
reviewer.
"""

from collections.abc import Mapping
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.library.datasets.models import Dataset
from edison.library.models.models import Model
from edison.library.prompts.models import Prompt
from edison.library.scorers.models import SavedScorer, ScorerVersion
from edison.loops.experiments.models import Experiment
from edison.workspace.accounts import service as accounts
from edison.workspace.accounts.models import User

REVIEWER_NAME = "Simulated reviewer"
REVIEWER_EMAIL = "simulated.reviewer@localhost"


async def find(
    session: AsyncSession,
    table: type[Prompt] | type[Dataset] | type[Experiment],
    project_id: UUID,
    name: str,
) -> UUID | None:
    return await session.scalar(
        select(table.id).where(table.project_id == project_id, table.name == name)
    )


async def find_scorer(session: AsyncSession, project_id: UUID, name: str) -> UUID | None:
    """The latest version of a saved scorer."""
    return await session.scalar(
        select(ScorerVersion.id)
        .join(SavedScorer, SavedScorer.id == ScorerVersion.scorer_id)
        .where(SavedScorer.project_id == project_id, SavedScorer.name == name)
        .order_by(ScorerVersion.number.desc())
        .limit(1)
    )


async def list_models(session: AsyncSession, project_id: UUID) -> Mapping[str, UUID]:
    """Model ids by the provider's name."""
    found = await session.execute(
        select(Model.provider_model, Model.id).where(Model.project_id == project_id)
    )
    return {name: model_id for name, model_id in found}


async def find_or_add_reviewer(session: AsyncSession) -> User:
    """An account that cannot sign in and belongs to no project."""
    return await accounts.find_user_by_email(
        session, email=REVIEWER_EMAIL
    ) or await accounts.add_user(session, User(email=REVIEWER_EMAIL, name=REVIEWER_NAME))
