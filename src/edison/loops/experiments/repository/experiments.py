"""All SQL about experiments."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, Text, cast, func, select, update

from edison.api.pagination import PageRequest, Slice
from edison.kit import clock
from edison.loops.experiments.models import Experiment
from edison.loops.experiments.schemas.experiments import ExperimentFilter
from edison.loops.experiments.states import EDITABLE, ExperimentState
from edison.workspace.accounts.models import User
from edison.workspace.resources.repository import Resources


class Experiments(Resources[Experiment]):
    table = Experiment
    locks_references = True

    def listed(self) -> Select[*tuple[Any, ...]]:
        """Experiments with their authors' emails."""
        return select(Experiment, User.email).outerjoin(User, User.id == Experiment.author_id)

    async def list_of_project(
        self, project_id: UUID, *, wanted: ExperimentFilter, page: PageRequest
    ) -> Slice[tuple[Experiment, str | None]]:
        conditions = []
        if wanted.state is not None:
            conditions.append(Experiment.state == wanted.state)
        if wanted.prompt_id is not None:
            conditions.append(Experiment.prompt_id == wanted.prompt_id)
        return await self.page(project_id, status=wanted.status, page=page, conditions=conditions)

    async def find(self, experiment_id: UUID, *, is_locked: bool = False) -> Experiment | None:
        statement = select(Experiment).where(Experiment.id == experiment_id)
        if is_locked:
            statement = statement.with_for_update()
        return await self.session.scalar(statement.execution_options(populate_existing=True))

    async def count_by_project(self, project_ids: Collection[UUID]) -> Mapping[UUID, int]:
        found = await self.session.execute(
            select(Experiment.project_id, func.count())
            .where(Experiment.project_id.in_(project_ids), Experiment.archived_at.is_(None))
            .group_by(Experiment.project_id)
        )
        return {project_id: number for project_id, number in found}

    async def find_names(self, project_id: UUID, ids: Collection[UUID]) -> Mapping[UUID, str]:
        found = await self.session.execute(
            select(Experiment.id, Experiment.name).where(
                Experiment.project_id == project_id, Experiment.id.in_(ids)
            )
        )
        return {id_: name for id_, name in found}

    async def list_names_like(self, project_id: UUID, name: str) -> Sequence[str]:
        found = await self.session.scalars(
            select(Experiment.name).where(
                Experiment.project_id == project_id,
                Experiment.name.startswith(name, autoescape=True),
            )
        )
        return found.all()

    async def save_draft(
        self, experiment_id: UUID, *, version: int, values: dict[str, Any]
    ) -> Experiment | None:
        """None if `version` is outdated or an iteration is running."""
        return await self.session.scalar(
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
        await self.session.execute(
            update(Experiment)
            .where(Experiment.id == experiment_id)
            .values(updated_at=clock.now(), **values)
            .execution_options(synchronize_session=False)
        )

    async def find_using(self, column: Any, value: UUID) -> str | None:
        """The name of a confirmed, unarchived experiment that uses this prompt or dataset."""
        return await self._find_name(column == value)

    async def find_using_model(self, model_id: UUID) -> str | None:
        """The name of a confirmed, unarchived experiment that has not ended and asks this model."""
        return await self._find_name(
            cast(Experiment.config, Text).contains(str(model_id)),
            Experiment.state != ExperimentState.COMPLETED,
        )

    async def _find_name(self, *conditions: ColumnElement[bool]) -> str | None:
        return await self.session.scalar(
            select(Experiment.name)
            .where(
                *conditions,
                Experiment.archived_at.is_(None),
                Experiment.config.is_not(None),
            )
            .limit(1)
        )
