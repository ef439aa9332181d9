"""All SQL about checks."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from edison.api.pagination import PageRequest, Slice, Sorting, paginate
from edison.db import upsert
from edison.db.days import utc_day
from edison.kit.errors import NotFound
from edison.kit.lazy_dataclasses import dataclass
from edison.loops.monitors.models import Monitor, MonitorCheck
from edison.loops.monitors.schemas.checks import CheckFilter
from edison.loops.monitors.states import ACTIVE, UNDER_WAY, CheckState, CheckVerdict
from edison.pipeline.aggregate.check_noise import REFERENCE_CHECKS
from edison.runs.store.models import Run

_MOST_SCORES = 12_000
# The runs of a check; kept, because an alias of a wide table is slow to build.
_FIRST, _SECOND = aliased(Run), aliased(Run)
_SORTING = Sorting(columns={"number": MonitorCheck.number}, default="-number", id=MonitorCheck.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckPart:
    """A check with its scores by case; see `MonitorCheck` for its fields."""

    id: UUID
    number: int
    run_id: UUID | None
    score: float | None
    measures: dict[str, Any] | None
    case_scores: dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True)
class TrendCheck:
    """A point of a trend; see `MonitorCheck` for its fields."""

    id: UUID
    number: int
    scheduled_for: datetime
    score: float | None
    verdict: str | None
    version_id: UUID | None
    version_label: str | None
    cases_digest: str | None
    cost_nanos: int
    measures: dict[str, Any]


@dataclass(frozen=True, slots=True)
class DaySum:
    """Checks of a UTC day in one state. Active checks have no cost yet."""

    day: date
    state: CheckState
    checks: int
    nanos: int


class Checks:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def add(self, check: MonitorCheck) -> bool:
        """False if the monitor has a check for this time, or an active one."""
        values = {
            column.name: value
            for column in MonitorCheck.__table__.columns
            if (value := getattr(check, column.name)) is not None
        }
        statement = upsert.insert(self._session, MonitorCheck).values(**values)
        added = await self._session.scalar(
            statement.on_conflict_do_nothing().returning(MonitorCheck.id)
        )
        return added is not None

    async def find(self, check_id: UUID, *, is_locked: bool = False) -> MonitorCheck | None:
        statement = select(MonitorCheck).where(MonitorCheck.id == check_id)
        if is_locked:
            statement = statement.with_for_update()
        return await self._session.scalar(statement.execution_options(populate_existing=True))

    async def get(self, monitor_id: UUID, check_id: UUID) -> MonitorCheck:
        found = await self.find(check_id)
        if found is None or found.monitor_id != monitor_id:
            raise NotFound("There is no such check of this monitor.")
        return found

    async def find_active(self, monitor_id: UUID) -> MonitorCheck | None:
        return await self._session.scalar(
            select(MonitorCheck).where(MonitorCheck.active_key == monitor_id)
        )

    async def list_pinned_run_ids(self, project_id: UUID) -> Sequence[UUID]:
        """Runs of the checks that are baselines."""
        found = await self._session.execute(
            select(MonitorCheck.run_id, MonitorCheck.confirm_run_id)
            .join(Monitor, Monitor.pinned_check_id == MonitorCheck.id)
            .where(Monitor.project_id == project_id)
        )
        return [run_id for row in found for run_id in row if run_id is not None]

    async def find_of_run(self, run_id: UUID) -> tuple[UUID, UUID] | None:
        """The active check that a run belongs to, with its project."""
        row = (
            await self._session.execute(
                select(MonitorCheck.id, Monitor.project_id)
                .join(Monitor, Monitor.id == MonitorCheck.monitor_id)
                .where(
                    or_(MonitorCheck.run_id == run_id, MonitorCheck.confirm_run_id == run_id),
                    MonitorCheck.state.in_(ACTIVE),
                )
            )
        ).first()
        return None if row is None else (row[0], row[1])

    async def change_state(
        self, check_id: UUID, old: CheckState, new: CheckState, values: dict[str, Any]
    ) -> MonitorCheck | None:
        """None if it is no longer in the old state."""
        return await self._session.scalar(
            update(MonitorCheck)
            .where(MonitorCheck.id == check_id, MonitorCheck.state == old)
            .values(state=new, **values)
            .returning(MonitorCheck)
            .execution_options(populate_existing=True)
        )

    async def accept(self, check_id: UUID) -> None:
        """Makes the check part of the baseline."""
        await self._session.execute(
            update(MonitorCheck)
            .where(MonitorCheck.id == check_id, MonitorCheck.state == CheckState.DONE)
            .values(verdict=CheckVerdict.GOOD)
            .execution_options(synchronize_session=False)
        )

    async def list_active(self) -> Sequence[tuple[UUID, UUID, str]]:
        """Ids of the active checks, their projects and states, oldest first."""
        found = await self._session.execute(
            select(MonitorCheck.id, Monitor.project_id, MonitorCheck.state)
            .join(Monitor, Monitor.id == MonitorCheck.monitor_id)
            .where(MonitorCheck.state.in_(ACTIVE))
            .order_by(MonitorCheck.id)
        )
        return [(id_, project_id, state) for id_, project_id, state in found]

    async def count_under_way(self) -> int:
        found = await self._session.scalar(
            select(func.count()).select_from(MonitorCheck).where(MonitorCheck.state.in_(UNDER_WAY))
        )
        return found or 0

    async def count_active(self, project_id: UUID) -> int:
        found = await self._session.scalar(
            select(func.count())
            .select_from(MonitorCheck)
            .join(Monitor, Monitor.id == MonitorCheck.monitor_id)
            .where(Monitor.project_id == project_id, MonitorCheck.state.in_(ACTIVE))
        )
        return found or 0

    async def page_of(
        self, monitor_id: UUID, *, wanted: CheckFilter, page: PageRequest
    ) -> Slice[MonitorCheck]:
        statement = select(MonitorCheck).where(MonitorCheck.monitor_id == monitor_id)
        if wanted.state is not None:
            statement = statement.where(MonitorCheck.state == wanted.state)
        if wanted.verdict is not None:
            statement = statement.where(MonitorCheck.verdict == wanted.verdict)
        found = await paginate(self._session, statement, page=page, sorting=_SORTING)
        return found

    async def list_last(
        self, monitor_ids: Collection[UUID], *conditions: ColumnElement[bool]
    ) -> Mapping[UUID, MonitorCheck]:
        """The latest check of each monitor that meets the conditions."""
        numbers = (
            select(MonitorCheck.monitor_id, func.max(MonitorCheck.number).label("number"))
            .where(MonitorCheck.monitor_id.in_(monitor_ids), *conditions)
            .group_by(MonitorCheck.monitor_id)
            .subquery()
        )
        found = await self._session.scalars(
            select(MonitorCheck)
            .join(
                numbers,
                (numbers.c.monitor_id == MonitorCheck.monitor_id)
                & (numbers.c.number == MonitorCheck.number),
            )
            .execution_options(populate_existing=True)
        )
        return {check.monitor_id: check for check in found}

    async def list_measured(
        self, monitor_id: UUID, *, since: datetime | None, every: int
    ) -> Sequence[TrendCheck]:
        """The measured checks with a number divisible by `every`, oldest first."""
        statement = select(
            MonitorCheck.id,
            MonitorCheck.number,
            MonitorCheck.scheduled_for,
            MonitorCheck.score,
            MonitorCheck.verdict,
            MonitorCheck.version_id,
            MonitorCheck.version_label,
            MonitorCheck.cases_digest,
            MonitorCheck.cost_nanos,
            MonitorCheck.measures,
        ).where(
            MonitorCheck.monitor_id == monitor_id,
            MonitorCheck.state == CheckState.DONE,
            MonitorCheck.measures.is_not(None),
            MonitorCheck.number % every == 0,
        )
        if since is not None:
            statement = statement.where(MonitorCheck.created_at >= since)
        found = await self._session.execute(statement.order_by(MonitorCheck.number))
        return [TrendCheck(*row) for row in found]

    async def sum_days(self, monitor_id: UUID, *, since: datetime | None) -> Sequence[DaySum]:
        """Checks by UTC day and state, oldest first."""
        day = utc_day(MonitorCheck.scheduled_for)
        statement = select(
            day, MonitorCheck.state, func.count(), func.sum(MonitorCheck.cost_nanos)
        ).where(MonitorCheck.monitor_id == monitor_id)
        if since is not None:
            statement = statement.where(MonitorCheck.created_at >= since)
        found = await self._session.execute(
            statement.group_by(day, MonitorCheck.state).order_by(day)
        )
        return [
            DaySum(at, CheckState(state), checks, int(sum_)) for at, state, checks, sum_ in found
        ]

    async def list_scores(
        self, monitor_id: UUID, *, before: int, since: datetime
    ) -> Sequence[tuple[datetime, float]]:
        """Times and scores of the measured checks before this number, oldest first."""
        found = await self._session.execute(
            select(MonitorCheck.scheduled_for, MonitorCheck.score)
            .where(
                MonitorCheck.monitor_id == monitor_id,
                MonitorCheck.number < before,
                MonitorCheck.state == CheckState.DONE,
                MonitorCheck.score.is_not(None),
                MonitorCheck.created_at >= since,
            )
            .order_by(MonitorCheck.number.desc())
            .limit(_MOST_SCORES)
        )
        return [(at, score) for at, score in found if score is not None][::-1]

    async def list_baseline(
        self, monitor: Monitor, *, before: int | None = None
    ) -> Sequence[CheckPart]:
        """The pinned check, or the last good ones before check number `before`, oldest first."""
        conditions = _in_baseline(monitor)
        if before is not None:
            conditions.append(MonitorCheck.number < before)
        return await self._list_parts(*conditions)

    async def list_without_alert(self, monitor: Monitor, *, before: int) -> Sequence[CheckPart]:
        """The last checks before check number `before` that raised no alert, oldest first. They
        show how much checks vary.
        """
        return await self._list_parts(
            *_since_accepted(monitor),
            MonitorCheck.verdict.in_((CheckVerdict.GOOD, CheckVerdict.UNCONFIRMED)),
            MonitorCheck.number < before,
        )

    async def list_recent(self, monitor: Monitor) -> Sequence[CheckPart]:
        """The last checks since the baseline was accepted, oldest first."""
        return await self._list_parts(*_since_accepted(monitor))

    async def _list_parts(self, *conditions: ColumnElement[bool]) -> Sequence[CheckPart]:
        found = await self._session.execute(
            select(
                MonitorCheck.id,
                MonitorCheck.number,
                MonitorCheck.run_id,
                MonitorCheck.score,
                MonitorCheck.measures,
                MonitorCheck.case_scores,
            )
            .where(
                MonitorCheck.state == CheckState.DONE,
                MonitorCheck.case_scores.is_not(None),
                *conditions,
            )
            .order_by(MonitorCheck.number.desc())
            .limit(REFERENCE_CHECKS)
        )
        parts = [
            CheckPart(
                id=id_,
                number=number,
                run_id=run_id,
                score=score,
                measures=measures,
                case_scores=case_scores,
            )
            for id_, number, run_id, score, measures, case_scores in found
        ]
        return parts[::-1]

    async def list_baseline_scores(self, monitor: Monitor) -> Sequence[tuple[int, float | None]]:
        """Number and score of the checks of `list_baseline`, without their cases."""
        found = await self._session.execute(
            select(MonitorCheck.number, MonitorCheck.score)
            .where(
                MonitorCheck.state == CheckState.DONE,
                MonitorCheck.case_scores.is_not(None),
                *_in_baseline(monitor),
            )
            .order_by(MonitorCheck.number.desc())
            .limit(REFERENCE_CHECKS)
        )
        return [(number, score) for number, score in found][::-1]

    async def find_costs(self, check_ids: Collection[UUID]) -> Mapping[UUID, int]:
        """The cost of each check's runs so far."""
        cost = func.coalesce(_FIRST.cost_nanos, 0) + func.coalesce(_SECOND.cost_nanos, 0)
        found = await self._session.execute(
            select(MonitorCheck.id, cost)
            .outerjoin(_FIRST, _FIRST.id == MonitorCheck.run_id)
            .outerjoin(_SECOND, _SECOND.id == MonitorCheck.confirm_run_id)
            .where(MonitorCheck.id.in_(check_ids))
        )
        return {id_: int(nanos) for id_, nanos in found}

    async def sum_costs(
        self, monitor_ids: Collection[UUID], *, since: datetime | None = None
    ) -> Mapping[UUID, int]:
        """Cost by monitor; active checks count with the cost of their runs so far."""
        statement = (
            select(MonitorCheck.monitor_id, func.sum(MonitorCheck.cost_nanos))
            .where(MonitorCheck.monitor_id.in_(monitor_ids))
            .group_by(MonitorCheck.monitor_id)
        )
        if since is not None:
            statement = statement.where(MonitorCheck.created_at >= since)
        ended = {id_: int(nanos) for id_, nanos in await self._session.execute(statement)}
        active = await self.find_active_costs(monitor_ids, since=since)
        return {id_: ended.get(id_, 0) + active.get(id_, 0) for id_ in ended.keys() | active.keys()}

    async def find_active_costs(
        self, monitor_ids: Collection[UUID], *, since: datetime | None
    ) -> Mapping[UUID, int]:
        """What the runs of active checks cost so far, by monitor."""
        statement = (
            select(
                MonitorCheck.monitor_id,
                func.coalesce(_FIRST.cost_nanos, 0) + func.coalesce(_SECOND.cost_nanos, 0),
            )
            .outerjoin(_FIRST, _FIRST.id == MonitorCheck.run_id)
            .outerjoin(_SECOND, _SECOND.id == MonitorCheck.confirm_run_id)
            .where(MonitorCheck.active_key.in_(monitor_ids))
        )
        if since is not None:
            statement = statement.where(MonitorCheck.created_at >= since)
        return {id_: int(nanos) for id_, nanos in await self._session.execute(statement)}

    async def find_runs(self, run_ids: Collection[UUID]) -> Mapping[UUID, Run]:
        found = await self._session.scalars(
            select(Run).where(Run.id.in_(run_ids)).execution_options(populate_existing=True)
        )
        return {run.id: run for run in found}


def _in_baseline(monitor: Monitor) -> list[ColumnElement[bool]]:
    if monitor.pinned_check_id is not None:
        return [MonitorCheck.id == monitor.pinned_check_id]
    return [*_since_accepted(monitor), MonitorCheck.verdict == CheckVerdict.GOOD]


def _since_accepted(monitor: Monitor) -> list[ColumnElement[bool]]:
    """Checks of the monitor since a person last accepted its scores as normal."""
    conditions = [MonitorCheck.monitor_id == monitor.id]
    if monitor.baseline_since is not None:
        conditions.append(MonitorCheck.created_at >= monitor.baseline_since)
    return conditions
