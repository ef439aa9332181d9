"""Fires due monitors: each due time becomes one check, in whatever process.

One transaction moves the monitor's next time on and adds the check. The run is created in a later
step: in this transaction, a conflict there would roll the claim back and fire for ever.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.jobs import cron
from edison.jobs import job as jobs
from edison.kit import clock, ids
from edison.loops.monitors import pause
from edison.loops.monitors.checks import alert
from edison.loops.monitors.checks.transitions import drive_job
from edison.loops.monitors.configure import read_config
from edison.loops.monitors.models import Monitor, MonitorCheck
from edison.loops.monitors.repository.checks import Checks
from edison.loops.monitors.repository.monitors import Monitors
from edison.loops.monitors.states import AlertRule, CheckState, SkipReason, Trigger
from edison.workspace.resources import service as resources

# A check this late would describe another time than the one it was meant for.
LATEST = timedelta(seconds=300)
# How often the scheduler shows that it lives.
SWEEP_NOTED_EVERY = timedelta(seconds=60)
# Few commits for many monitors, while other writers do not wait long.
FIRED_AT_ONCE = 50


async def fire_due(database: Database) -> None:
    """Resumes the monitors whose pause is over, then fires those that are due, several in one short
    transaction. A monitor that cannot be fired does not hold up the others: its error is raised at
    the end. Idempotent.
    """
    async with database.write() as session:
        await Monitors(session).note_sweep(clock.now())
        resumable = await Monitors(session).list_resumable(clock.now())
    for monitor_id in resumable:
        async with database.write() as session:
            await pause.resume_after_reset(session, monitor_id)
    async with database.read() as session:
        due = await Monitors(session).list_due(clock.now())
    failed: list[Exception] = []
    for first in range(0, len(due), FIRED_AT_ONCE):
        failed += await _fire_together(database, due[first : first + FIRED_AT_ONCE])
    if failed:
        raise failed[0]


async def _fire_together(
    database: Database, due: Sequence[tuple[UUID, datetime, str]]
) -> Sequence[Exception]:
    """In one transaction; if it fails, each in its own."""
    try:
        async with database.write() as session:
            for monitor_id, due_at, schedule in due:
                await fire(session, monitor_id, due_at=due_at, schedule=schedule)
    except Exception as error:
        if len(due) == 1:
            return [error]
        return [wrong for each in due for wrong in await _fire_together(database, [each])]
    return []


async def fire(session: AsyncSession, monitor_id: UUID, *, due_at: datetime, schedule: str) -> None:
    """At most once per due time, also when several processes try."""
    now = clock.now()
    following = cron.next_time(schedule, after=max(now, due_at))
    if not await Monitors(session).claim_due(monitor_id, due=due_at, following=following):
        return
    monitor = await Monitors(session).find(monitor_id)
    if monitor is None:
        return
    if now - due_at > LATEST:
        await _skip_late(session, monitor, due_at=due_at, now=now)
    elif await Checks(session).find_active(monitor_id) is not None:
        message = "The previous check was still in progress."
        check = await _skip(session, monitor, due_at, SkipReason.OVERLAP, message)
        if check is not None:
            await resources.publish(session, monitor)
    else:
        await add_check(session, monitor, trigger=Trigger.SCHEDULE, at=due_at)
        await resources.publish(session, monitor)


async def _skip_late(
    session: AsyncSession, monitor: Monitor, *, due_at: datetime, now: datetime
) -> None:
    """One skipped check stands for all due times that passed, so that an outage causes no storm."""
    missed = 1 + cron.count_between(monitor.cron, first=due_at, until=now)
    times = "1 due time" if missed == 1 else f"{missed:,} due times"
    late = _words(now - due_at)
    message = f"Edison was not running: {times} passed, the first {late} ago."
    check = await _skip(session, monitor, due_at, SkipReason.MISFIRE, message, missed=missed)
    if check is None:
        return
    if read_config(monitor).rules.not_running:
        finding = alert.Finding(
            rule=AlertRule.NOT_RUNNING,
            title=f"{monitor.name}: {times} without a check",
            message=message,
        )
        await alert.open_or_update(session, monitor, check, finding)
    await resources.publish(session, monitor)


def _words(late: timedelta) -> str:
    minutes = int(late.total_seconds() // 60)
    if minutes < 120:
        return f"{minutes} minutes"
    hours = minutes // 60
    return f"{hours} hours" if hours < 48 else f"{hours // 24} days"


async def add_check(
    session: AsyncSession,
    monitor: Monitor,
    *,
    trigger: Trigger,
    at: datetime,
    author_id: UUID | None = None,
) -> MonitorCheck | None:
    """Adds a due check and queues its job. None if the monitor has one for this time."""
    now = clock.now()
    check = await _add(
        session,
        MonitorCheck(
            monitor_id=monitor.id,
            state=CheckState.DUE,
            trigger=trigger,
            active_key=monitor.id,
            scheduled_for=at,
            missed=0,
            author_id=author_id,
            created_at=now,
        ),
    )
    if check is not None:
        jobs.request(session, drive_job(check.id, monitor.project_id))
    return check


async def _skip(
    session: AsyncSession,
    monitor: Monitor,
    due_at: datetime,
    reason: SkipReason,
    message: str,
    missed: int = 0,
) -> MonitorCheck | None:
    now = clock.now()
    return await _add(
        session,
        MonitorCheck(
            monitor_id=monitor.id,
            state=CheckState.SKIPPED,
            trigger=Trigger.SCHEDULE,
            scheduled_for=due_at,
            missed=missed,
            reason=reason,
            message=message,
            created_at=now,
            ended_at=now,
        ),
    )


async def _add(session: AsyncSession, check: MonitorCheck) -> MonitorCheck | None:
    check.id, check.cost_nanos = ids.new_id(), 0
    check.number = await Monitors(session).add_check_number(check.monitor_id)
    return check if await Checks(session).add(check) else None
