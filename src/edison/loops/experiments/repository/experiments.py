"""All SQL about experiments."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice, Sorting, contains, paginate
from edison.kit import clock
from edison.kit.errors import NotFound
from edison.loops.experiments.models import Experiment
from edison.loops.experiments.schemas.experiments import ExperimentFilter
from edison.loops.experiments.states import EDITABLE
from edison.workspace.accounts.models import User

_SORTING = Sorting(
    columns={
        "updated_at": Experiment.updated_at,
        "created_at": Experiment.created_at,
        "name": Experiment.name,
    },
    default="-updated_at",
    id=Experiment.id,
)


class Experiments:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_of_project(
        self, project_id: UUID, *, wanted: ExperimentFilter, page: PageRequest
    ) -> Slice[tuple[Experiment, str | None]]:
        """Experiments with their authors' emails."""
        statement = (
            select(Experiment, User.email)
            .outerjoin(User, User.id == Experiment.author_id)
            .where(Experiment.project_id == project_id)
        )
        if wanted.status != "all":
            is_archived = Experiment.archived_at.is_not(None)
            statement = statement.where(
                is_archived if wanted.status == "archived" else ~is_archived
            )
        if wanted.state is not None:
            statement = statement.where(Experiment.state == wanted.state)
        if wanted.prompt_id is not None:
            statement = statement.where(Experiment.prompt_id == wanted.prompt_id)
        if page.q is not None:
            statement = statement.where(contains(Experiment.name, page.q))
        return await paginate(self._session, statement, page=page, sorting=_SORTING)

    async def get(self, project_id: UUID, experiment_id: UUID) -> Experiment:
        return await self._get(project_id, experiment_id, is_locked=False)

    async def lock(self, project_id: UUID, experiment_id: UUID) -> Experiment:
        """Locks the experiment's row until the transaction ends."""
        return await self._get(project_id, experiment_id, is_locked=True)

    async def _get(self, project_id: UUID, experiment_id: UUID, *, is_locked: bool) -> Experiment:
        statement = select(Experiment).where(
            Experiment.project_id == project_id, Experiment.id == experiment_id
        )
        if is_locked:
            statement = statement.with_for_update()
        found = await self._session.scalar(statement.execution_options(populate_existing=True))
        if found is None:
            raise NotFound("There is no such experiment.")
        return found

    async def find(self, experiment_id: UUID, *, is_locked: bool = False) -> Experiment | None:
        statement = select(Experiment).where(Experiment.id == experiment_id)
        if is_locked:
            statement = statement.with_for_update()
        return await self._session.scalar(statement.execution_options(populate_existing=True))

    async def find_email(self, user_id: UUID | None) -> str | None:
        return await self._session.scalar(select(User.email).where(User.id == user_id))

    async def find_names(self, project_id: UUID, ids: Collection[UUID]) -> Mapping[UUID, str]:
        found = await self._session.execute(
            select(Experiment.id, Experiment.name).where(
                Experiment.project_id == project_id, Experiment.id.in_(ids)
            )
        )
        return {id_: name for id_, name in found}

    async def list_names_like(self, project_id: UUID, name: str) -> Sequence[str]:
        found = await self._session.scalars(
            select(Experiment.name).where(
                Experiment.project_id == project_id,
                Experiment.name.startswith(name, autoescape=True),
            )
        )
        return found.all()

    async def add(self, experiment: Experiment) -> None:
        self._session.add(experiment)
        await self._session.flush()

    async def save_draft(
        self, experiment_id: UUID, *, version: int, values: dict[str, Any]
    ) -> Experiment | None:
        """None if `version` is outdated or an iteration is running."""
        return await self._session.scalar(
            update(Experiment)
            .where(
                Experiment.id == experiment_id,
                Experiment.draft_version == version,
                Experiment.state.in_(EDITABLE),
            )
            .values(draft_version=version + 1, updated_at=clock.now(), **values)
            .returning(Experiment)
            .execution_options(populate_existing=True)
        )

    async def change(self, experiment_id: UUID, values: dict[str, Any]) -> None:
        await self._session.execute(
            update(Experiment)
            .where(Experiment.id == experiment_id)
            .values(updated_at=clock.now(), **values)
            .execution_options(synchronize_session=False)
        )

    async def set_archived(self, experiment_id: UUID, *, at: datetime | None) -> bool:
        """False if nothing changed."""
        is_archived = Experiment.archived_at.is_not(None)
        changed = await self._session.scalar(
            update(Experiment)
            .where(Experiment.id == experiment_id, ~is_archived if at else is_archived)
            .values(archived_at=at)
            .returning(Experiment.id)
            .execution_options(synchronize_session=False)
        )
        return changed is not None

    async def remove(self, experiment_id: UUID) -> None:
        await self._session.execute(delete(Experiment).where(Experiment.id == experiment_id))

    async def find_using(self, column: Any, value: UUID) -> str | None:
        """The name of a confirmed, unarchived experiment that uses this prompt or dataset."""
        return await self._session.scalar(
            select(Experiment.name)
            .where(
                column == value,
                Experiment.archived_at.is_(None),
                Experiment.config.is_not(None),
            )
            .limit(1)
        )
