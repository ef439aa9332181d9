"""Hooks of jobs, runs, projects and operations about checks and the scheduler."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.jobs import job as jobs
from edison.jobs.job import Job
from edison.kit import clock
from edison.kit.lazy_dataclasses import dataclass
from edison.loops.monitors.checks.begin import fail
from edison.loops.monitors.checks.fire import SWEEP_NOTED_EVERY
from edison.loops.monitors.checks.transitions import ORIGIN, drive_job, fire_job
from edison.loops.monitors.repository.alerts import Alerts
from edison.loops.monitors.repository.checks import Checks
from edison.loops.monitors.repository.monitors import Monitors
from edison.loops.monitors.states import ACTIVE, CheckState, MonitorState
from edison.runs.store.models import Run

# A monitor that was due this long ago is overdue: several sweeps have passed.
OVERDUE = timedelta(seconds=60)
# Due checks that are queued at a time.
MOST_DUE = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class SchedulerStatus:
    """`swept_at` is when due monitors were last looked for, within a minute."""

    swept_at: datetime | None
    overdue: int
    active_monitors: int
    paused_monitors: int
    active_checks: int
    open_alerts: int

    def is_late(self, now: datetime) -> bool:
        """Whether the scheduler has work and does not do it."""
        if not self.active_monitors:
            return False
        is_silent = self.swept_at is None or now - self.swept_at > 5 * SWEEP_NOTED_EVERY
        return self.overdue > 0 and is_silent


async def read_status(session: AsyncSession) -> SchedulerStatus:
    monitors = Monitors(session)
    states = await monitors.count_states()
    return SchedulerStatus(
        swept_at=await monitors.find_sweep(),
        overdue=await monitors.count_overdue(clock.now() - OVERDUE),
        active_monitors=states.get(MonitorState.ACTIVE, 0),
        paused_monitors=states.get(MonitorState.PAUSED, 0),
        active_checks=len(await Checks(session).list_active()),
        open_alerts=await Alerts(session).count_all_open(),
    )


async def list_due_jobs(session: AsyncSession) -> Sequence[Job]:
    """Hook of the job sweep, unless scheduling is switched off: the job that fires monitors, if one
    is due, a pause is over, or the last sweep was not noted for a while.
    """
    monitors, now = Monitors(session), clock.now()
    swept_at = await monitors.find_sweep()
    if swept_at is None or abs(now - swept_at) >= SWEEP_NOTED_EVERY:
        return [fire_job()]
    if await monitors.list_due(now) or await monitors.list_resumable(now):
        return [fire_job()]
    return []


async def list_missing_jobs(session: AsyncSession) -> Sequence[Job]:
    """Hook of the job sweep: checks that need a job. Of many that are due, the oldest ones; the
    others follow when these are over.
    """
    active = await Checks(session).list_active()
    due = [each for each in active if each[2] == CheckState.DUE]
    begun = [each for each in active if each[2] != CheckState.DUE]
    return [
        drive_job(check_id, project_id) for check_id, project_id, _ in (*begun, *due[:MOST_DUE])
    ]


async def note_run_moved(session: AsyncSession, run: Run) -> None:
    """Hook of runs: queues the check's job when one of its runs changes state."""
    if run.origin != ORIGIN:
        return
    found = await Checks(session).find_of_run(run.id)
    if found is not None:
        jobs.request(session, drive_job(*found))


async def find_evidence(session: AsyncSession, project_id: UUID) -> Collection[UUID]:
    """Hook of retention: the runs of pinned baselines. Other checks have their own sums."""
    return await Checks(session).list_pinned_run_ids(project_id)


async def find_resume_objection(session: AsyncSession, run: Run) -> str | None:
    """Hook of runs: a run of a check that waited for money is never resumed by itself."""
    if run.origin != ORIGIN:
        return None
    return "The check of this run is over: its answers would belong to another time."


async def note_dead_job(session: AsyncSession, payload: Mapping[str, Any], reason: str) -> None:
    """Hook of the job queue: the check's job has failed too often."""
    check = await Checks(session).find(UUID(payload["check_id"]))
    if check is not None and check.state in ACTIVE:
        message = f"Edison could not go on: {reason}."
        await fail(session, check.id, reason="internal", message=message)


async def find_active_work(session: AsyncSession, project_id: UUID) -> str | None:
    """Hook of `workspace/projects`: whether a check is in progress."""
    if await Checks(session).count_active(project_id):
        return "A monitor of this project has a check in progress."
    return None
