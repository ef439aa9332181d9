"""All SQL about monitors and the scheduler."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from edison.api.pagination import PageRequest, Slice
from edison.db import upsert
from edison.kit import clock
from edison.library.datasets.models import Dataset
from edison.library.models.models import Model
from edison.library.prompts.models import Prompt, PromptVersion
from edison.library.scorers.models import ScorerVersion
from edison.loops.monitors.models import Monitor, MonitorModel, MonitorScorer, Scheduler
from edison.loops.monitors.schemas.monitors import MonitorFilter
from edison.loops.monitors.states import MonitorState, PauseReason
from edison.workspace.accounts.models import User
from edison.workspace.projects.models import Project
from edison.workspace.resources.repository import Resources

_SCHEDULER = "monitors"


class Monitors(Resources[Monitor]):
    table = Monitor
    locks_references = True

    def listed(self) -> Select[*tuple[Any, ...]]:
        """Monitors with their authors' emails."""
        return select(Monitor, User.email).outerjoin(User, User.id == Monitor.author_id)

    async def list_of_project(
        self, project_id: UUID, *, wanted: MonitorFilter, page: PageRequest
    ) -> Slice[tuple[Monitor, str | None]]:
        conditions = []
        if wanted.state is not None:
            conditions.append(Monitor.state == wanted.state)
        if wanted.prompt_id is not None:
            conditions.append(Monitor.prompt_id == wanted.prompt_id)
        return await self.page(project_id, status=wanted.status, page=page, conditions=conditions)

    async def find(self, monitor_id: UUID, *, is_locked: bool = False) -> Monitor | None:
        statement = select(Monitor).where(Monitor.id == monitor_id)
        if is_locked:
            statement = statement.with_for_update()
        return await self.session.scalar(statement.execution_options(populate_existing=True))

    async def find_names(self, project_id: UUID, ids: Collection[UUID]) -> Mapping[UUID, str]:
        found = await self.session.execute(
            select(Monitor.id, Monitor.name).where(
                Monitor.project_id == project_id, Monitor.id.in_(ids)
            )
        )
        return {id_: name for id_, name in found}

    async def change(self, monitor_id: UUID, values: dict[str, Any]) -> None:
        await self.session.execute(
            update(Monitor)
            .where(Monitor.id == monitor_id)
            .values(updated_at=clock.now(), **values)
            .execution_options(synchronize_session=False)
        )

    async def add_check_number(self, monitor_id: UUID) -> int:
        """Locks the monitor."""
        number = await self.session.scalar(
            update(Monitor)
            .where(Monitor.id == monitor_id)
            .values(check_count=Monitor.check_count + 1)
            .returning(Monitor.check_count)
        )
        return number or 0

    async def list_due(self, now: datetime) -> Sequence[tuple[UUID, datetime, str]]:
        """Active monitors whose time has come: id, due time and schedule, the oldest first."""
        found = await self.session.execute(
            select(Monitor.id, Monitor.next_run_at, Monitor.cron)
            .where(
                Monitor.state == MonitorState.ACTIVE,
                Monitor.archived_at.is_(None),
                _of_active_project(),
                Monitor.next_run_at <= now,
            )
            .order_by(Monitor.next_run_at, Monitor.id)
        )
        return [(id_, due, cron) for id_, due, cron in found if due is not None]

    async def claim_due(self, monitor_id: UUID, *, due: datetime, following: datetime) -> bool:
        """Moves the next time on. False if another process did, or the monitor was changed."""
        claimed = await self.session.scalar(
            update(Monitor)
            .where(
                Monitor.id == monitor_id,
                Monitor.next_run_at == due,
                Monitor.state == MonitorState.ACTIVE,
                Monitor.archived_at.is_(None),
            )
            .values(next_run_at=following)
            .returning(Monitor.id)
        )
        return claimed is not None

    async def count_overdue(self, before: datetime) -> int:
        found = await self.session.scalar(
            select(func.count())
            .select_from(Monitor)
            .where(
                Monitor.state == MonitorState.ACTIVE,
                Monitor.archived_at.is_(None),
                _of_active_project(),
                Monitor.next_run_at < before,
            )
        )
        return found or 0

    async def count_states(self) -> Mapping[str, int]:
        found = await self.session.execute(
            select(Monitor.state, func.count())
            .where(Monitor.archived_at.is_(None))
            .group_by(Monitor.state)
        )
        return {state: count for state, count in found}

    async def list_resumable(self, now: datetime) -> Sequence[UUID]:
        """Monitors whose pause ends by itself, and has ended."""
        found = await self.session.scalars(
            select(Monitor.id)
            .where(Monitor.state == MonitorState.PAUSED, Monitor.resume_at <= now)
            .order_by(Monitor.id)
        )
        return found.all()

    async def list_paused_for(self, project_id: UUID, reason: PauseReason) -> Sequence[UUID]:
        found = await self.session.scalars(
            select(Monitor.id)
            .where(
                Monitor.project_id == project_id,
                Monitor.state == MonitorState.PAUSED,
                Monitor.pause_reason == reason,
            )
            .order_by(Monitor.id)
        )
        return found.all()

    async def set_uses(
        self, monitor_id: UUID, *, model_ids: Collection[UUID], version_ids: Collection[UUID]
    ) -> None:
        """Replaces the links to models and saved scorers, the latter by their versions."""
        scorer_ids = await self.session.scalars(
            select(ScorerVersion.scorer_id).where(ScorerVersion.id.in_(version_ids)).distinct()
        )
        owner = {"monitor_id": monitor_id}
        await self.set_links(MonitorModel, owner, "model_id", model_ids)
        await self.set_links(MonitorScorer, owner, "scorer_id", scorer_ids)

    async def copy_uses(self, source_id: UUID, copy_id: UUID) -> None:
        for table, column in ((MonitorModel, "model_id"), (MonitorScorer, "scorer_id")):
            found = await self.session.scalars(
                select(getattr(table, column)).where(table.monitor_id == source_id)
            )
            await self.set_links(table, {"monitor_id": copy_id}, column, found)

    async def find_using(self, column: Any, value: UUID) -> str | None:
        """The name of an unarchived monitor that uses this prompt or dataset."""
        return await self.session.scalar(
            select(Monitor.name).where(column == value, Monitor.archived_at.is_(None)).limit(1)
        )

    async def find_linked(
        self, table: type[MonitorModel | MonitorScorer], column: Any, value: UUID
    ) -> str | None:
        """The name of an unarchived monitor that uses this model or scorer."""
        return await self.session.scalar(
            select(Monitor.name)
            .join(table, table.monitor_id == Monitor.id)
            .where(column == value, Monitor.archived_at.is_(None))
            .limit(1)
        )

    async def find_prompts(self, ids: Collection[UUID]) -> Mapping[UUID, Prompt]:
        found = await self.session.scalars(select(Prompt).where(Prompt.id.in_(ids)))
        return {prompt.id: prompt for prompt in found}

    async def find_versions(
        self, prompt_ids: Collection[UUID], version_ids: Collection[UUID]
    ) -> tuple[Mapping[UUID, PromptVersion], Mapping[UUID, PromptVersion]]:
        """Production versions by prompt, and the given versions by id."""
        found = await self.session.scalars(
            select(PromptVersion).where(
                (PromptVersion.prompt_id.in_(prompt_ids) & PromptVersion.is_production)
                | PromptVersion.id.in_(version_ids)
            )
        )
        versions = found.all()
        return (
            {each.prompt_id: each for each in versions if each.is_production},
            {each.id: each for each in versions},
        )

    async def find_datasets(self, ids: Collection[UUID]) -> Mapping[UUID, Dataset]:
        found = await self.session.scalars(select(Dataset).where(Dataset.id.in_(ids)))
        return {dataset.id: dataset for dataset in found}

    async def find_model_names(self, ids: Collection[UUID]) -> Mapping[UUID, str]:
        found = await self.session.execute(
            select(Model.id, Model.display_name).where(Model.id.in_(ids))
        )
        return {id_: name for id_, name in found}

    async def note_sweep(self, now: datetime) -> None:
        statement = upsert.insert(self.session, Scheduler).values(name=_SCHEDULER, swept_at=now)
        await self.session.execute(
            statement.on_conflict_do_update(index_elements=[Scheduler.name], set_={"swept_at": now})
        )

    async def find_sweep(self) -> datetime | None:
        """When due monitors were last looked for."""
        return await self.session.scalar(
            select(Scheduler.swept_at).where(Scheduler.name == _SCHEDULER)
        )


async def pause_all(connection: AsyncConnection, *, reason: PauseReason, message: str) -> int:
    """Pauses every active monitor, and those whose pause would end by itself. Returns the number
    of the active ones.
    """
    paused = {
        "state": MonitorState.PAUSED.value,
        "pause_reason": reason.value,
        "pause_message": message,
        "resume_at": None,
        "next_run_at": None,
    }
    active = await connection.execute(
        update(Monitor).where(Monitor.state == MonitorState.ACTIVE.value).values(paused)
    )
    await connection.execute(update(Monitor).where(Monitor.resume_at.is_not(None)).values(paused))
    return active.rowcount


def _of_active_project() -> ColumnElement[bool]:
    """Monitors of an archived project rest until it is unarchived."""
    archived = select(Project.id).where(Project.archived_at.is_not(None))
    return Monitor.project_id.not_in(archived)
