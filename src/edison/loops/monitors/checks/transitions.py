"""Moves checks from state to state. Every state change goes through `move`."""

from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.jobs import job as jobs
from edison.jobs.job import Job
from edison.kit import clock
from edison.loops.monitors.models import MonitorCheck
from edison.loops.monitors.repository.checks import Checks
from edison.loops.monitors.states import NEXT, OVER, CheckState

# The origin of a check's runs.
ORIGIN = "monitor"
DRIVE = "drive_check"
FIRE = "fire_monitors"


async def move(
    session: AsyncSession, check: MonitorCheck, state: CheckState, **values: Any
) -> MonitorCheck | None:
    """Returns the check in its new state; None if its current state does not allow the transition.
    An ended check stores the cost of its runs and makes room for the next waiting one.
    """
    if state not in NEXT[CheckState(check.state)]:
        return None
    now = clock.now()
    if check.started_at is None and state is CheckState.RUNNING:
        values["started_at"] = now
    if state in OVER:
        costs = await Checks(session).find_costs([check.id])
        values |= {"ended_at": now, "active_key": None, "cost_nanos": costs.get(check.id, 0)}
    moved = await Checks(session).change_state(check.id, CheckState(check.state), state, values)
    if moved is not None and state in OVER:
        await _wake_next(session)
    return moved


async def _wake_next(session: AsyncSession) -> None:
    for check_id, project_id, state in await Checks(session).list_active():
        if state == CheckState.DUE:
            jobs.request(session, drive_job(check_id, project_id))
            return


def drive_job(check_id: UUID, project_id: UUID) -> Job:
    return Job(
        task=DRIVE,
        key=f"{DRIVE}:{check_id}",
        payload={"check_id": str(check_id)},
        project_id=project_id,
    )


def fire_job() -> Job:
    return Job(task=FIRE, key=FIRE)
