"""Drives a check: reads its row, executes the step of its state, and repeats.

Steps are idempotent: each writes once, conditional on the state it started from. Any process can
resume after a crash.
"""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit.lazy_dataclasses import dataclass
from edison.loops.monitors.checks import conclude
from edison.loops.monitors.checks.begin import begin, fail, pause_for_budget
from edison.loops.monitors.checks.transitions import move
from edison.loops.monitors.models import Monitor, MonitorCheck
from edison.loops.monitors.repository.checks import Checks
from edison.loops.monitors.repository.monitors import Monitors
from edison.loops.monitors.states import CheckState
from edison.runs.read import service as runs
from edison.runs.store.models import Run
from edison.runs.store.states import RunState
from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.errors import BudgetExhausted
from edison.workspace.budgets.types import Need
from edison.workspace.resources import service as resources

# More than the states on the longest path.
MOST_STEPS = 8
# Reason of a run that its budget paused.
_BUDGET = "budget"
_GONE = "The run of this check was deleted."


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckTools:
    """`calls_at_once` is per credential, for estimates."""

    database: Database
    calls_at_once: int
    checks_at_once: int


async def drive(tools: CheckTools, check_id: UUID) -> None:
    """Returns when the check waits for a run or for other checks, or is over."""
    state: str | None = None
    for _ in range(MOST_STEPS):
        async with tools.database.read() as session:
            check = await Checks(session).find(check_id)
        if check is None or check.state == state:
            return
        state = check.state
        match CheckState(state):
            case CheckState.DUE:
                await begin(
                    tools.database,
                    check_id,
                    at_once=tools.calls_at_once,
                    checks_at_once=tools.checks_at_once,
                )
            case CheckState.RUNNING:
                async with tools.database.write() as session:
                    await _follow_run(session, check_id)
            case CheckState.MEASURING:
                await conclude.measure_check(tools.database, check_id)
            case CheckState.CONFIRMING:
                await conclude.follow_confirmation(tools.database, check_id)
            case _:
                return


async def _follow_run(session: AsyncSession, check_id: UUID) -> None:
    """Moves the check on when its run has ended. A run that waits for money is cancelled: its
    answers would belong to another time.
    """
    found = await _lock(session, check_id)
    if found is None:
        return
    monitor, check = found
    run = None
    if check.run_id is not None:
        run = (await Checks(session).find_runs([check.run_id])).get(check.run_id)
    if run is None:
        await fail(session, check_id, reason="run_deleted", message=_GONE)
        return
    match RunState(run.state):
        case RunState.COMPLETED:
            if await move(session, check, CheckState.MEASURING) is not None:
                await resources.publish(session, monitor)
        case RunState.CANCELLED:
            message = "The run of this check was cancelled."
            moved = await move(
                session, check, CheckState.CANCELLED, reason="run_cancelled", message=message
            )
            if moved is not None:
                await resources.publish(session, monitor)
        case RunState.FAILED:
            await _stop(session, monitor, run)
            message = run.message or "The run of this check failed."
            await fail(session, check_id, reason=run.reason or "run_failed", message=message)
        case RunState.PAUSED if run.reason == _BUDGET:
            await _stop(session, monitor, run)
            await _fail_for_budget(session, monitor, check, run)
        case _:
            return


async def _fail_for_budget(
    session: AsyncSession, monitor: Monitor, check: MonitorCheck, run: Run
) -> None:
    """The money was used up in the middle of the check."""
    message = run.message or "A budget was used up during the check."
    exhausted = await _find_exhausted(session, monitor)
    moved = await move(session, check, CheckState.FAILED, reason=_BUDGET, message=message)
    if moved is not None:
        await pause_for_budget(session, monitor, moved, exhausted)


async def _find_exhausted(session: AsyncSession, monitor: Monitor) -> BudgetExhausted:
    try:
        await budgets.check_open(
            session,
            project_id=monitor.project_id,
            scope_ids=[monitor.id],
            need=Need(real_nanos=1, simulated_nanos=1),
        )
    except BudgetExhausted as exhausted:
        return exhausted
    return BudgetExhausted(budget_id=monitor.id)


async def _stop(session: AsyncSession, monitor: Monitor, run: Run) -> None:
    await runs.cancel_run(session, project_id=monitor.project_id, run_id=run.id)


async def _lock(session: AsyncSession, check_id: UUID) -> tuple[Monitor, MonitorCheck] | None:
    """None unless the check is running. Locks the monitor before the check."""
    check = await Checks(session).find(check_id)
    if check is None:
        return None
    monitor = await Monitors(session).find(check.monitor_id, is_locked=True)
    check = await Checks(session).find(check_id, is_locked=True)
    if monitor is None or check is None or check.state != CheckState.RUNNING:
        return None
    return monitor, check
