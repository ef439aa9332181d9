"""Builders for monitors, checks and alerts that bypass the API."""

from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import clock, ids
from edison.loops.monitors.models import Alert, Monitor, MonitorCheck
from edison.loops.monitors.repository.alerts import open_key
from edison.loops.monitors.schemas.monitors import MonitorConfig, dump_config
from edison.loops.monitors.states import AlertRule


async def add_monitor(session: AsyncSession, project_id: UUID, **values: Any) -> Monitor:
    """A paused monitor of a deleted prompt."""
    config = MonitorConfig.model_validate(
        {"models": [{"model_id": ids.new_id()}], "scorers": [{"kind": "exact"}]}
    )
    monitor = Monitor(
        **{
            "id": ids.new_id(),
            "project_id": project_id,
            "name": "A monitor",
            "state": "paused",
            "pause_reason": "person",
            "is_production": True,
            "cron": "0 9 * * *",
            "check_count": 0,
            "baselines": [],
            "config": dump_config(config),
        }
        | values
    )
    session.add(monitor)
    await session.flush()
    return monitor


async def add_check(session: AsyncSession, monitor: Monitor, **values: Any) -> MonitorCheck:
    """A check that was skipped."""
    now = clock.now()
    check = MonitorCheck(
        **{
            "id": ids.new_id(),
            "monitor_id": monitor.id,
            "number": 1,
            "state": "skipped",
            "trigger": "schedule",
            "scheduled_for": now,
            "missed": 0,
            "reason": "overlap",
            "cost_nanos": 0,
            "created_at": now,
            "ended_at": now,
        }
        | values
    )
    session.add(check)
    await session.flush()
    return check


async def add_alert(session: AsyncSession, monitor: Monitor, **values: Any) -> Alert:
    """An open alert about errors."""
    now = clock.now()
    alert = Alert(
        **{
            "id": ids.new_id(),
            "project_id": monitor.project_id,
            "monitor_id": monitor.id,
            "rule": "errors",
            "severity": "alert",
            "state": "open",
            "open_key": open_key(monitor.id, AlertRule.ERRORS),
            "title": "3 of 10 answers failed",
            "message": "3 of 10 answers failed.",
            "opened_at": now,
            "seen_at": now,
            "reopened_count": 0,
            "details": {"worst": [], "figures": {}},
        }
        | values
    )
    session.add(alert)
    await session.flush()
    return alert
