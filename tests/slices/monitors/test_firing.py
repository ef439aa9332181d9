"""Each due time becomes exactly one check: across processes, late, overlapping, with a wrong clock
and without money.
"""

import asyncio
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from cronsim import CronSimError
from fastapi import FastAPI
from sqlalchemy import func, select

from edison.loops.monitors.checks import service as checks
from edison.loops.monitors.checks.fire import FIRED_AT_ONCE, fire_due
from edison.loops.monitors.models import Monitor, MonitorCheck
from edison.loops.monitors.pause import pause_all_restored
from edison.workspace.projects.models import Project
from tests.conftest import TurnableClock
from tests.factories.monitors import add_check, add_monitor
from tests.factories.projects import make_project
from tests.slices.monitors.ward import Ward
from tests.support.browser import Browser

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
# More than one transaction takes.
MANY = FIRED_AT_ONCE + 10


@pytest.fixture
def noon(turnable_clock: TurnableClock) -> TurnableClock:
    turnable_clock.time = NOON
    return turnable_clock


async def make_monitors(app: FastAPI, count: int = 1, **values: Any) -> list[Monitor]:
    project = await make_project(app)
    due = {"state": "active", "pause_reason": None, "cron": "0 * * * *", "next_run_at": NOON}
    async with app.state.database.write() as session:
        return [
            await add_monitor(session, project.id, **due | {"name": f"Monitor {at}"} | values)
            for at in range(count)
        ]


async def list_checks(app: FastAPI) -> list[MonitorCheck]:
    async with app.state.database.read() as session:
        return list((await session.scalars(select(MonitorCheck).order_by(MonitorCheck.id))).all())


async def get_next(app: FastAPI, monitor: Monitor) -> datetime | None:
    async with app.state.database.read() as session:
        return (await session.get_one(Monitor, monitor.id)).next_run_at


async def test_four_processes_fire_each_due_time_once(app: FastAPI, noon: TurnableClock) -> None:
    await make_monitors(app, MANY)
    await asyncio.gather(*(fire_due(app.state.database) for _ in range(4)))
    found = await list_checks(app)
    assert len(found) == MANY
    assert max(Counter(each.monitor_id for each in found).values()) == 1
    assert {each.scheduled_for for each in found} == {NOON}
    await fire_due(app.state.database)
    assert len(await list_checks(app)) == MANY


async def test_a_monitor_that_cannot_fire_does_not_hold_up_the_others(
    app: FastAPI, noon: TurnableClock
) -> None:
    await make_monitors(app, cron="never", next_run_at=NOON - timedelta(seconds=1))
    sound = await make_monitors(app, 3)
    with pytest.raises(CronSimError):
        await fire_due(app.state.database)
    found = await list_checks(app)
    assert {each.monitor_id for each in found} == {each.id for each in sound}


async def test_late_times_are_skipped_together(app: FastAPI, noon: TurnableClock) -> None:
    (monitor,) = await make_monitors(app)
    noon.time = NOON + timedelta(hours=5, minutes=7)
    await fire_due(app.state.database)
    (check,) = await list_checks(app)
    assert (check.state, check.reason, check.missed) == ("skipped", "misfire", 6)
    assert check.message == "Edison was not running: 6 due times passed, the first 5 hours ago."
    assert await get_next(app, monitor) == NOON + timedelta(hours=6)


async def test_five_minutes_late_is_not_too_late(app: FastAPI, noon: TurnableClock) -> None:
    await make_monitors(app)
    noon.time = NOON + timedelta(seconds=300)
    await fire_due(app.state.database)
    (check,) = await list_checks(app)
    assert (check.trigger, check.scheduled_for, check.reason) != ("schedule", NOON, "misfire")


async def test_a_check_in_progress_skips_the_next(app: FastAPI, noon: TurnableClock) -> None:
    (monitor,) = await make_monitors(app)
    async with app.state.database.write() as session:
        await add_check(
            session,
            monitor,
            state="running",
            active_key=monitor.id,
            scheduled_for=NOON - timedelta(hours=1),
            reason=None,
            ended_at=None,
        )
    await fire_due(app.state.database)
    skipped = [each for each in await list_checks(app) if each.scheduled_for == NOON]
    assert [(each.state, each.reason) for each in skipped] == [("skipped", "overlap")]


async def test_a_clock_set_back_fires_no_time_again(app: FastAPI, noon: TurnableClock) -> None:
    (monitor,) = await make_monitors(app)
    await fire_due(app.state.database)
    noon.advance(hours=-1)
    await fire_due(app.state.database)
    assert len(await list_checks(app)) == 1
    assert await get_next(app, monitor) == NOON + timedelta(hours=1)
    # As after a pause and resume while the clock was wrong.
    async with app.state.database.write() as session:
        stored = await session.get_one(Monitor, monitor.id)
        stored.next_run_at = NOON
    noon.time = NOON
    await fire_due(app.state.database)
    assert [each.scheduled_for for each in await list_checks(app)] == [NOON]


async def test_a_clock_set_forward_skips_one_hour(app: FastAPI, noon: TurnableClock) -> None:
    (monitor,) = await make_monitors(app)
    noon.advance(hours=1, minutes=10)
    await fire_due(app.state.database)
    assert [each.missed for each in await list_checks(app)] == [2]
    noon.advance(hours=-1)
    await fire_due(app.state.database)
    assert len(await list_checks(app)) == 1
    assert await get_next(app, monitor) == NOON + timedelta(hours=2)


async def test_paused_and_archived_monitors_do_not_fire(app: FastAPI, noon: TurnableClock) -> None:
    await make_monitors(app, state="paused", pause_reason="person")
    await make_monitors(app, archived_at=NOON)
    await fire_due(app.state.database)
    assert await list_checks(app) == []


async def test_midnight_resumes_all_monitors(app: FastAPI, noon: TurnableClock) -> None:
    midnight = NOON.replace(hour=0) + timedelta(days=1)
    values = {"state": "paused", "pause_reason": "budget", "next_run_at": None}
    await make_monitors(app, MANY, resume_at=midnight, **values)
    await fire_due(app.state.database)
    async with app.state.database.read() as session:
        assert (await checks.read_status(session)).active_monitors == 0
    noon.time = midnight
    await asyncio.gather(*(fire_due(app.state.database) for _ in range(2)))
    async with app.state.database.read() as session:
        assert (await checks.read_status(session)).active_monitors == MANY
        times = await session.scalars(select(func.distinct(Monitor.next_run_at)))
        assert len(times.all()) == 1


async def test_a_restored_backup_pauses_all(app: FastAPI, noon: TurnableClock) -> None:
    await make_monitors(app, 3)
    async with app.state.database.write() as session:
        assert await pause_all_restored(await session.connection()) == 3
    await fire_due(app.state.database)
    assert await list_checks(app) == []


async def test_monitors_of_an_archived_project_rest(app: FastAPI, noon: TurnableClock) -> None:
    (monitor,) = await make_monitors(app)
    await set_archived(app, monitor, at=NOON)
    noon.advance(minutes=10)
    async with app.state.database.read() as session:
        assert (await checks.read_status(session)).overdue == 0
    await fire_due(app.state.database)
    assert await list_checks(app) == []
    await set_archived(app, monitor, at=None)
    await fire_due(app.state.database)
    assert [check.monitor_id for check in await list_checks(app)] == [monitor.id]


async def set_archived(app: FastAPI, monitor: Monitor, *, at: datetime | None) -> None:
    async with app.state.database.write() as session:
        (await session.get_one(Project, monitor.project_id)).archived_at = at


async def test_the_scheduler_reports_what_is_overdue(app: FastAPI, noon: TurnableClock) -> None:
    await make_monitors(app, 2)
    noon.advance(minutes=10)
    async with app.state.database.read() as session:
        status = await checks.read_status(session)
        assert (status.overdue, status.active_monitors) == (2, 2)
        assert status.is_late(noon.now())
        assert [job.task for job in await checks.list_due_jobs(session)] == ["fire_monitors"]
    await fire_due(app.state.database)
    async with app.state.database.read() as session:
        status = await checks.read_status(session)
        assert (status.overdue, status.swept_at) == (0, noon.now())
        assert not status.is_late(noon.now())
        assert await checks.list_due_jobs(session) == []


async def test_health_and_metrics_know_the_scheduler(
    app: FastAPI, noon: TurnableClock, anonymous: Browser
) -> None:
    await make_monitors(app, 2)
    noon.advance(minutes=2)
    found = (await anonymous.get("/api/health")).json()
    assert found["status"] == "ok"
    # The tests switch scheduling off.
    assert (found["scheduler"]["status"], found["scheduler"]["overdue"]) == ("off", 2)
    metrics = (await anonymous.get("/metrics")).text
    assert "edison_monitors_overdue 2.0" in metrics
    assert 'edison_monitors{state="active"} 2.0' in metrics


async def test_a_check_without_money_pauses_until_midnight(
    ward: Ward, turnable_clock: TurnableClock
) -> None:
    turnable_clock.time = NOON
    monitor = await ward.make(cron="0 * * * *", daily_budget_usd="0.000001")
    turnable_clock.advance(hours=1)
    await ward.fire()
    check = await ward.until_ended(monitor, 1)
    assert (check["state"], check["reason"]) == ("skipped", "budget")
    assert "budget of the monitor Parcels" in check["message"]
    assert ward.quality.asked == 0
    paused = await ward.monitor(monitor)
    assert (paused["state"], paused["pause"]["reason"]) == ("paused", "budget")
    assert paused["pause"]["resume_at"] == "2026-03-03T00:00:00Z"
    assert await ward.notices() == ["monitor_paused"]
    (alert,) = await ward.alerts()
    assert (alert["rule"], alert["severity"]) == ("budget", "warning")
    raised = await ward.patch(monitor, daily_budget_usd="5")
    assert raised.json()["state"] == "active"
    assert (await ward.alerts())[0]["resolution"] == "recovered"
    turnable_clock.advance(hours=1)
    await ward.fire()
    assert (await ward.until_ended(monitor, 2))["state"] == "done"
