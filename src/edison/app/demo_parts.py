"""Parts of the demo project that its stories find by name or add."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.library.datasets import service as datasets
from edison.library.datasets.models import Dataset
from edison.library.datasets.schemas.datasets import CaseRequest, DatasetRequest
from edison.library.models.models import Model
from edison.library.prompts.models import Prompt
from edison.library.scorers.models import SavedScorer, ScorerVersion
from edison.loops.experiments.models import Experiment
from edison.simulation.casework import SimulatedCase, Split, make_cases
from edison.simulation.material import DemoCase
from edison.workspace.accounts import service as accounts
from edison.workspace.accounts.models import User

REVIEWER_NAME = "Simulated reviewer"
REVIEWER_EMAIL = "simulated.reviewer@localhost"


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoCases:
    """A dataset to add, with as many cases of a task per split as `counts` says."""

    dataset: str
    description: str
    task: str
    counts: Mapping[Split, int]


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


def case_request(case: SimulatedCase | DemoCase, split: Split) -> CaseRequest:
    return CaseRequest(
        inputs=dict(case.inputs),
        expected=case.expected,
        tags=list(case.tags),
        difficulty=case.difficulty,
        split=split,
    )


async def add_cases(
    session: AsyncSession, project_id: UUID, wanted: DemoCases, *, owner_id: UUID
) -> UUID:
    dataset = await datasets.create_dataset(
        session,
        project_id=project_id,
        wanted=DatasetRequest(name=wanted.dataset, description=wanted.description),
    )
    await datasets.add_cases(
        session,
        project_id=project_id,
        dataset_id=dataset.id,
        wanted=[
            case_request(case, split)
            for split, count in wanted.counts.items()
            for case in make_cases(wanted.task, count, wanted.dataset, split=split)
        ],
        author_id=owner_id,
    )
    return dataset.id
