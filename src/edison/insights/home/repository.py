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
from edison.runs.scoring.models import (
    AnnotationAssignee,
    AnnotationItem,
    AnnotationQueue,
    AnnotationSeat,
    AnnotationSkip,
)
from edison.runs.scoring.states import AnnotationQueueState
from edison.runs.store.models import Run
from edison.runs.store.states import RunState
from edison.runs.voting.models import VotingMatch, VotingRound, VotingSeat, VotingSkip
from edison.runs.voting.states import VotingState


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
        statement = select(Run.id, Run.name, Run.created_at).where(
            Run.project_id == self._project_id,
            Run.state == RunState.FAILED,
            Run.created_at >= since,
        )
        return await self._list(statement, Run.created_at, limit)

    async def list_votings(self, user_id: UUID, limit: int) -> tuple[int, list[Waiting]]:
        """Open rounds in which a pair is left for this person."""
        match = VotingMatch.id
        is_left = and_(
            exists().where(VotingSeat.match_id == match, VotingSeat.is_voted.is_(False)),
            ~exists().where(
                VotingSeat.match_id == match, VotingSeat.user_id == user_id, VotingSeat.is_voted
            ),
            ~exists().where(VotingSkip.match_id == match, VotingSkip.user_id == user_id),
        )
        statement = (
            select(VotingRound.id, VotingRound.name, VotingRound.created_at, func.count())
            .join(VotingMatch, VotingMatch.round_id == VotingRound.id)
            .where(
                VotingRound.project_id == self._project_id,
                VotingRound.state == VotingState.OPEN,
                is_left,
            )
            .group_by(VotingRound.id, VotingRound.name, VotingRound.created_at)
        )
        return await self._list(statement, VotingRound.created_at, limit)

    async def list_annotations(self, user_id: UUID, limit: int) -> tuple[int, list[Waiting]]:
        """Open queues with an answer left for this person; a queue without assignees is open to
        all members.
        """
        item, queue = AnnotationItem.id, AnnotationQueue
        assigned = exists().where(AnnotationAssignee.queue_id == queue.id)
        is_left = and_(
            exists().where(AnnotationSeat.item_id == item, AnnotationSeat.is_scored.is_(False)),
            ~exists().where(
                AnnotationSeat.item_id == item,
                AnnotationSeat.user_id == user_id,
                AnnotationSeat.is_scored,
            ),
            ~exists().where(AnnotationSkip.item_id == item, AnnotationSkip.user_id == user_id),
        )
        statement = (
            select(queue.id, queue.name, queue.created_at, func.count())
            .join(AnnotationItem, AnnotationItem.queue_id == queue.id)
            .where(
                queue.project_id == self._project_id,
                queue.state == AnnotationQueueState.OPEN,
                or_(~assigned, assigned.where(AnnotationAssignee.user_id == user_id)),
                is_left,
            )
            .group_by(queue.id, queue.name, queue.created_at)
        )
        return await self._list(statement, queue.created_at, limit)

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
