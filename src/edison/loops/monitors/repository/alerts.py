"""All SQL about alerts."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Select, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from edison.api.pagination import PageRequest, Slice, Sorting, contains, paginate
from edison.db import upsert
from edison.kit.errors import NotFound
from edison.loops.monitors.models import Alert, Monitor, MonitorCheck
from edison.loops.monitors.schemas.alerts import AlertFilter
from edison.loops.monitors.states import AlertRule, AlertState
from edison.workspace.accounts.models import User

_SORTING = Sorting(columns={"opened_at": Alert.opened_at}, default="-opened_at", id=Alert.id)
_UNRESOLVED = (AlertState.OPEN, AlertState.ACKNOWLEDGED)

# An alert, its monitor's name, its check's number, and the emails of two members.
AlertRow = tuple[Alert, str, int | None, str | None, str | None]


def open_key(monitor_id: UUID, rule: AlertRule) -> str:
    return f"{monitor_id}:{rule}"


class Alerts:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def page_of(
        self, project_id: UUID, *, wanted: AlertFilter, page: PageRequest
    ) -> Slice[AlertRow]:
        statement = _listed().where(Alert.project_id == project_id)
        if wanted.state == "unresolved":
            statement = statement.where(Alert.state.in_(_UNRESOLVED))
        elif wanted.state is not None:
            statement = statement.where(Alert.state == wanted.state)
        for column, value in (
            (Alert.rule, wanted.rule),
            (Alert.severity, wanted.severity),
            (Alert.monitor_id, wanted.monitor_id),
        ):
            if value is not None:
                statement = statement.where(column == value)
        if page.q is not None:
            statement = statement.where(contains(Alert.title, page.q))
        return await paginate(self._session, statement, page=page, sorting=_SORTING)

    async def get(self, project_id: UUID, alert_id: UUID, *, to_change: bool = False) -> AlertRow:
        if to_change:
            await self._session.scalar(
                select(Alert.id).where(Alert.id == alert_id).with_for_update()
            )
        found = await self._session.execute(
            _listed()
            .where(Alert.project_id == project_id, Alert.id == alert_id)
            .execution_options(populate_existing=True)
        )
        row = found.one_or_none()
        if row is None:
            raise NotFound("There is no such alert.")
        alert, monitor, number, acknowledged_by, resolved_by = row
        return alert, monitor, number, acknowledged_by, resolved_by

    async def list_open(
        self, monitor_id: UUID, *, is_locked: bool = True
    ) -> Mapping[AlertRule, Alert]:
        statement = (
            select(Alert)
            .where(Alert.monitor_id == monitor_id, Alert.open_key.is_not(None))
            .order_by(Alert.id)
        )
        if is_locked:
            statement = statement.with_for_update()
        found = await self._session.scalars(statement.execution_options(populate_existing=True))
        return {AlertRule(alert.rule): alert for alert in found}

    async def find_resolved_since(
        self, monitor_id: UUID, rule: AlertRule, since: datetime
    ) -> Alert | None:
        return await self._session.scalar(
            select(Alert)
            .where(
                Alert.monitor_id == monitor_id,
                Alert.rule == rule,
                Alert.state == AlertState.RESOLVED,
                Alert.resolved_at >= since,
            )
            .order_by(Alert.resolved_at.desc())
            .limit(1)
        )

    async def add(self, alert: Alert) -> bool:
        """False if the monitor has an open alert of this rule."""
        values = {
            column.name: value
            for column in Alert.__table__.columns
            if (value := getattr(alert, column.name)) is not None
        }
        statement = upsert.insert(self._session, Alert).values(**values)
        added = await self._session.scalar(statement.on_conflict_do_nothing().returning(Alert.id))
        return added is not None

    async def change(self, alert_id: UUID, values: dict[str, Any]) -> None:
        await self._session.execute(
            update(Alert)
            .where(Alert.id == alert_id)
            .values(**values)
            .execution_options(synchronize_session=False)
        )

    async def count_open(self, monitor_ids: Collection[UUID]) -> Mapping[UUID, tuple[int, int]]:
        """Unresolved alerts by monitor: all, and those that are no warnings."""
        is_alert = Alert.severity == "alert"
        found = await self._session.execute(
            select(Alert.monitor_id, func.count(), func.count().filter(is_alert))
            .where(Alert.monitor_id.in_(monitor_ids), Alert.open_key.is_not(None))
            .group_by(Alert.monitor_id)
        )
        return {id_: (count, severe) for id_, count, severe in found}

    async def count_all_open(self) -> int:
        found = await self._session.scalar(
            select(func.count()).select_from(Alert).where(Alert.open_key.is_not(None))
        )
        return found or 0

    async def list_since(self, monitor_id: UUID, since: datetime | None) -> Sequence[Alert]:
        statement = select(Alert).where(Alert.monitor_id == monitor_id)
        if since is not None:
            statement = statement.where(Alert.opened_at >= since)
        found = await self._session.scalars(statement.order_by(Alert.opened_at))
        return found.all()


def _listed() -> Select[*tuple[Any, ...]]:
    acknowledged, resolved = aliased(User), aliased(User)
    return (
        select(Alert, Monitor.name, MonitorCheck.number, acknowledged.email, resolved.email)
        .join(Monitor, Monitor.id == Alert.monitor_id)
        .outerjoin(MonitorCheck, MonitorCheck.id == Alert.check_id)
        .outerjoin(acknowledged, acknowledged.id == Alert.acknowledged_by_id)
        .outerjoin(resolved, resolved.id == Alert.resolved_by_id)
    )
