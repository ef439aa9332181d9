"""Queries of a project's home page."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import ColumnElement, Select, and_, exists, func, null, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.library.datasets.models import Dataset
from edison.library.models.models import Model
from edison.library.prompts.models import Prompt, PromptVersion
from edison.loops.experiments.models import Experiment, Suggestion
from edison.loops.experiments.states import ExperimentState, SuggestionState
from edison.loops.monitors.models import Alert, Monitor, MonitorCheck
from edison.loops.monitors.states import AlertState, CheckState
from edison.loops.optimizations.models import Optimization
from edison.loops.optimizations.states import OptimizationState
from edison.runs.store.models import Run
from edison.runs.store.states import RunState


class Waiting(NamedTuple):
    """`open_count` is how many steps are left, None for what is done in one."""

    id: UUID
    title: str
    since: datetime
    open_count: int | None = None
    note: str | None = None


class MeasuredCheck(NamedTuple):
    monitor_id: UUID
    number: int
    score: float
    verdict: str | None
    ended_at: datetime | None


class HomeQueries:
    def __init__(self, session: AsyncSession, project_id: UUID) -> None:
        self._session = session
        self._project_id = project_id

    async def list_reviews(self, limit: int) -> tuple[int, list[Waiting]]:
        """Suggestions that wait for a decision."""
        statement = (
            select(Suggestion.id, Prompt.name, Suggestion.created_at, null(), Suggestion.note)
            .join(PromptVersion, PromptVersion.id == Suggestion.base_version_id)
            .join(Prompt, Prompt.id == PromptVersion.prompt_id)
            .where(
                Suggestion.project_id == self._project_id,
                Suggestion.state == SuggestionState.PENDING,
            )
        )
        return await self._list(statement, Suggestion.created_at, limit)

    async def list_failed_runs(self, since: datetime, limit: int) -> tuple[int, list[Waiting]]:
        """Also completed runs in which most answers failed."""
        statement = select(Run.id, Run.name, Run.created_at).where(
            Run.project_id == self._project_id,
            or_(
                Run.state == RunState.FAILED,
                and_(Run.state == RunState.COMPLETED, Run.error_count * 2 > Run.cell_count),
            ),
            Run.created_at >= since,
        )
        return await self._list(statement, Run.created_at, limit)

    async def _list(
        self, statement: Select[*tuple[Any, ...]], order: Any, limit: int
    ) -> tuple[int, list[Waiting]]:
        """The number of rows, and the newest ones."""
        newest = statement.order_by(order.desc()).limit(limit + 1)
        rows = [Waiting(*row) for row in await self._session.execute(newest)]
        if len(rows) <= limit:
            return len(rows), rows
        count = await self._session.scalar(select(func.count()).select_from(statement.subquery()))
        return count or 0, rows[:limit]

    async def list_production(self) -> Sequence[tuple[Prompt, PromptVersion]]:
        rows = await self._session.execute(
            select(Prompt, PromptVersion)
            .join(PromptVersion, PromptVersion.prompt_id == Prompt.id)
            .where(
                Prompt.project_id == self._project_id,
                Prompt.archived_at.is_(None),
                PromptVersion.is_production,
            )
            .order_by(Prompt.name)
        )
        return [(prompt, version) for prompt, version in rows]

    async def list_monitors(self, prompt_ids: Collection[UUID]) -> Sequence[tuple[Monitor, int]]:
        """Monitors of production versions, oldest first, and how many alerts they have open."""
        alerts = (
            select(func.count())
            .where(Alert.monitor_id == Monitor.id, Alert.state != AlertState.RESOLVED)
            .scalar_subquery()
        )
        rows = await self._session.execute(
            select(Monitor, alerts)
            .where(
                Monitor.project_id == self._project_id,
                Monitor.prompt_id.in_(prompt_ids),
                Monitor.is_production,
                Monitor.archived_at.is_(None),
            )
            .order_by(Monitor.created_at)
        )
        return [(monitor, count) for monitor, count in rows]

    async def list_checks(self, monitor_ids: Collection[UUID], *, last: int) -> list[MeasuredCheck]:
        """The measured ones among the last checks of each monitor, in order."""
        found = await self._session.execute(
            select(
                MonitorCheck.monitor_id,
                MonitorCheck.number,
                MonitorCheck.score,
                MonitorCheck.verdict,
                MonitorCheck.ended_at,
            )
            .join(Monitor, Monitor.id == MonitorCheck.monitor_id)
            .where(
                Monitor.id.in_(monitor_ids),
                MonitorCheck.number > Monitor.check_count - last,
                MonitorCheck.state == CheckState.DONE,
                MonitorCheck.score.is_not(None),
            )
            .order_by(MonitorCheck.number)
        )
        return [MeasuredCheck._make(row) for row in found]

    async def find_steps(self) -> Mapping[str, bool]:
        """Whether there is a model, a prompt, a case, a run that ended, an experiment or
        optimization that was started, and a monitor.
        """
        of_project = self._project_id
        improved = or_(
            _has(Experiment.project_id == of_project, Experiment.state != ExperimentState.DRAFT),
            _has(
                Optimization.project_id == of_project,
                Optimization.state != OptimizationState.DRAFT,
            ),
        )
        steps = {
            "has_model": _has(Model.project_id == of_project, Model.is_enabled.is_(True)),
            "has_prompt": _has(Prompt.project_id == of_project),
            "has_cases": _has(Dataset.project_id == of_project, Dataset.case_count > 0),
            "has_run": _has(Run.project_id == of_project, Run.state == RunState.COMPLETED),
            "has_improvement": improved,
            "has_monitor": _has(Monitor.project_id == of_project),
        }
        row = await self._session.execute(select(*steps.values()))
        return dict(zip(steps, map(bool, row.one()), strict=True))


def _has(*conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    return exists().where(*conditions)
