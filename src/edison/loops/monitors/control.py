"""Actions on a monitor: check now, pause, resume, mute, set the baseline."""

from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.kit import clock
from edison.loops.monitors import pause as pausing
from edison.loops.monitors import service, view
from edison.loops.monitors.checks import alert
from edison.loops.monitors.checks.fire import add_check
from edison.loops.monitors.configure import find_monitor_target
from edison.loops.monitors.errors import AlreadyInState, CheckUnderWay, NoSuchBaseline
from edison.loops.monitors.models import Monitor, MonitorCheck
from edison.loops.monitors.repository.alerts import Alerts
from edison.loops.monitors.repository.checks import Checks
from edison.loops.monitors.repository.monitors import Monitors
from edison.loops.monitors.schemas.checks import CheckFilter, MonitorCheckRead
from edison.loops.monitors.schemas.monitors import BaselineRequest, MonitorDetail, MuteRequest
from edison.loops.monitors.states import (
    AlertResolution,
    AlertRule,
    CheckState,
    MonitorState,
    PauseReason,
    Trigger,
)
from edison.workspace.budgets import service as budgets
from edison.workspace.resources import service as resources

# Changes of the baseline that are kept.
_MOST_CHANGES = 100


async def run_now(
    session: AsyncSession, *, project_id: UUID, monitor_id: UUID, author_id: UUID
) -> MonitorCheckRead:
    """Adds a check, also for a paused monitor. Raises CheckUnderWay, Invalid when it cannot run,
    and BudgetExhausted.
    """
    monitor = await resources.lock_active(Monitors(session), project_id, monitor_id)
    if await Checks(session).find_active(monitor_id) is not None:
        raise CheckUnderWay
    await find_monitor_target(session, monitor)
    await budgets.check_open(session, project_id=project_id, scope_ids=(monitor.id,))
    check = await add_check(
        session, monitor, trigger=Trigger.PERSON, at=clock.now(), author_id=author_id
    )
    if check is None:
        raise CheckUnderWay
    await resources.note(session, monitor, "checked", after={"check": check.number})
    return view.read_check(check, pinned_id=monitor.pinned_check_id)


async def pause_monitor(
    session: AsyncSession, *, project_id: UUID, monitor_id: UUID
) -> MonitorDetail:
    """A check in progress is finished. A monitor paused by its budget stays paused after midnight.
    Raises AlreadyInState.
    """
    monitor = await resources.lock_active(Monitors(session), project_id, monitor_id)
    if monitor.state == MonitorState.PAUSED and monitor.pause_reason != PauseReason.BUDGET:
        raise AlreadyInState(Monitor.NOUN, MonitorState.PAUSED)
    await pausing.pause(session, monitor, reason=PauseReason.PERSON)
    return await service.get_monitor(session, project_id=project_id, monitor_id=monitor_id)


async def resume_monitor(
    session: AsyncSession, *, project_id: UUID, monitor_id: UUID
) -> MonitorDetail:
    """Raises AlreadyInState."""
    monitor = await resources.lock_active(Monitors(session), project_id, monitor_id)
    if monitor.state == MonitorState.ACTIVE:
        raise AlreadyInState(Monitor.NOUN, MonitorState.ACTIVE)
    await pausing.resume(session, monitor)
    return await service.get_monitor(session, project_id=project_id, monitor_id=monitor_id)


async def mute_monitor(
    session: AsyncSession, *, project_id: UUID, monitor_id: UUID, wanted: MuteRequest
) -> MonitorDetail:
    """Alerts still open, but send no notifications."""
    monitor = await resources.lock_active(Monitors(session), project_id, monitor_id)
    before = monitor.muted_until
    await Monitors(session).change(monitor_id, {"muted_until": wanted.until})
    await resources.note(
        session,
        monitor,
        "muted" if wanted.until is not None else "unmuted",
        before={"until": None if before is None else before.isoformat()},
        after={"until": None if wanted.until is None else wanted.until.isoformat()},
    )
    return await service.get_monitor(session, project_id=project_id, monitor_id=monitor_id)


async def set_baseline(
    session: AsyncSession,
    *,
    project_id: UUID,
    monitor_id: UUID,
    wanted: BaselineRequest,
    author_id: UUID,
) -> MonitorDetail:
    """Pins a check, or accepts the current level as the new normal: the latest measured check
    begins the new baseline. Resolves an open drop alert. Raises NoSuchBaseline.
    """
    monitors, checks = Monitors(session), Checks(session)
    monitor = await resources.lock_active(monitors, project_id, monitor_id)
    now = clock.now()
    values: dict[str, Any] = {"pinned_check_id": None, "baseline_since": now}
    if wanted.check_id is not None:
        check = await checks.get(monitor_id, wanted.check_id)
        if check.state != CheckState.DONE or check.score is None:
            raise NoSuchBaseline
        values = {"pinned_check_id": check.id, "baseline_since": None}
    else:
        last = (await checks.list_last([monitor_id], MonitorCheck.score.is_not(None))).get(
            monitor_id
        )
        if last is not None:
            await checks.accept(last.id)
            values["baseline_since"] = last.created_at
    author = await monitors.find_email(author_id)
    change = {"at": now.isoformat(), "note": wanted.note, "author": author}
    values["baselines"] = [*monitor.baselines, change][-_MOST_CHANGES:]
    await monitors.change(monitor_id, values)
    opened = (await Alerts(session).list_open(monitor_id)).get(AlertRule.DROP)
    if opened is not None:
        await alert.resolve(session, opened, resolution=AlertResolution.ACCEPTED)
        await alert.publish(session, opened)
    await resources.note(
        session,
        monitor,
        "baseline_set",
        after={"note": wanted.note, "check_id": str(wanted.check_id or "")},
    )
    return await service.get_monitor(session, project_id=project_id, monitor_id=monitor_id)


async def list_checks(
    session: AsyncSession,
    *,
    project_id: UUID,
    monitor_id: UUID,
    wanted: CheckFilter,
    page: PageRequest,
) -> Slice[MonitorCheckRead]:
    monitor = await Monitors(session).get(project_id, monitor_id)
    found = await Checks(session).page_of(monitor_id, wanted=wanted, page=page)
    return found.with_items(await view.read_checks(session, monitor, found.items))


async def get_check(
    session: AsyncSession, *, project_id: UUID, monitor_id: UUID, check_id: UUID
) -> MonitorCheckRead:
    monitor = await Monitors(session).get(project_id, monitor_id)
    check = await Checks(session).get(monitor_id, check_id)
    [read] = await view.read_checks(session, monitor, [check])
    return read
