"""A project, and every kind of resource that it can have."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
from fastapi import FastAPI
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.library.datasets.models import Dataset
from edison.library.datasets.repository.datasets import Datasets
from edison.library.prompts.repository import Prompts
from edison.library.scorers.repository.rubrics import Rubrics
from edison.library.scorers.repository.scorers import Scorers
from edison.loops.abtests.repository import AbTests
from edison.loops.experiments.repository.experiments import Experiments
from edison.loops.monitors.repository.monitors import Monitors
from edison.loops.optimizations.repository import Optimizations
from edison.workspace.audit.models import AuditEntry
from edison.workspace.events.models import Event
from edison.workspace.projects.models import Project
from edison.workspace.resources.repository import Resources
from tests.factories.abtests import add_ab_test
from tests.factories.experiments import add_experiment
from tests.factories.monitors import add_monitor
from tests.factories.optimizations import add_optimization
from tests.factories.projects import make_project
from tests.factories.prompts import add_prompt
from tests.factories.scorers import add_rubric, add_scorer


@pytest.fixture
async def project(app: FastAPI) -> Project:
    return await make_project(app)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of resource: its repository, and a function that adds one and returns its id. `word`
    is its name in messages, if it differs from the noun.
    """

    rows: Callable[[AsyncSession], Resources[Any]]
    add: Callable[[AsyncSession, UUID, str], Awaitable[UUID]]
    word: str | None = None


async def _prompt(session: AsyncSession, project_id: UUID, name: str) -> UUID:
    return (await add_prompt(session, project_id, name=name)).id


async def _scorer(session: AsyncSession, project_id: UUID, name: str) -> UUID:
    return await add_scorer(session, project_id, name=name, options={"phrases": ["parcel"]})


async def _rubric(session: AsyncSession, project_id: UUID, name: str) -> UUID:
    return await add_rubric(session, project_id, name=name)


async def _dataset(session: AsyncSession, project_id: UUID, name: str) -> UUID:
    return (
        await Datasets(session).add(Dataset(project_id=project_id, name=name, kind="manual"))
    ).id


async def _experiment(session: AsyncSession, project_id: UUID, name: str) -> UUID:
    return (await add_experiment(session, project_id, name=name)).id


async def _monitor(session: AsyncSession, project_id: UUID, name: str) -> UUID:
    return (await add_monitor(session, project_id, name=name)).id


async def _ab_test(session: AsyncSession, project_id: UUID, name: str) -> UUID:
    return (await add_ab_test(session, project_id, name=name)).id


async def _optimization(session: AsyncSession, project_id: UUID, name: str) -> UUID:
    return (await add_optimization(session, project_id, name=name)).id


KINDS = {
    "prompt": Kind(rows=Prompts, add=_prompt),
    "scorer": Kind(rows=Scorers, add=_scorer),
    "rubric": Kind(rows=Rubrics, add=_rubric),
    "dataset": Kind(rows=Datasets, add=_dataset),
    "experiment": Kind(rows=Experiments, add=_experiment),
    "monitor": Kind(rows=Monitors, add=_monitor),
    "optimization": Kind(rows=Optimizations, add=_optimization),
    "ab_test": Kind(rows=AbTests, add=_ab_test, word="A/B test"),
}


@pytest.fixture(params=KINDS)
def noun(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def kind(noun: str) -> Kind:
    return KINDS[noun]


async def list_actions(app: FastAPI, row_id: UUID) -> Sequence[str]:
    """What the audit log says happened to the resource, in order."""
    async with app.state.database.read() as session:
        statement = select(AuditEntry.action).where(AuditEntry.entity_id == str(row_id))
        return (await session.scalars(statement.order_by(AuditEntry.id))).all()


async def count_events(app: FastAPI, noun: str, row_id: UUID) -> int:
    async with app.state.database.read() as session:
        found = await session.scalars(select(Event).where(Event.kind == f"{noun}.changed"))
        return sum(event.data["entity_id"] == str(row_id) for event in found)
