"""Begins a due check: resolves the prompt version, checks the budget, creates the run."""

from decimal import Decimal
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.db.turns import wait_for_turn
from edison.jobs.job import Priority
from edison.kit.errors import Conflict, EdisonError, Exhausted, Invalid, NotFound
from edison.kit.lazy_dataclasses import dataclass
from edison.kit.money import nanos_from_usd
from edison.loops.monitors import pause
from edison.loops.monitors.checks import alert
from edison.loops.monitors.checks.transitions import ORIGIN, move
from edison.loops.monitors.configure import (
    CONFIRM_REPEATS,
    WatchedPrompt,
    find_monitor_target,
    read_config,
    run_request,
    sentence_of,
)
from edison.loops.monitors.models import Monitor, MonitorCheck
from edison.loops.monitors.notifications import notify_paused
from edison.loops.monitors.repository.alerts import Alerts
from edison.loops.monitors.repository.checks import Checks
from edison.loops.monitors.repository.monitors import Monitors
from edison.loops.monitors.schemas.monitors import MonitorConfig
from edison.loops.monitors.schemas.rules import DropKind
from edison.loops.monitors.states import (
    AlertRule,
    CheckState,
    MonitorState,
    SkipReason,
)
from edison.runs.plan import service as run_plans
from edison.runs.plan.schemas import RunEstimate, RunRequest
from edison.runs.plan.types import RunContext
from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.errors import BudgetExhausted
from edison.workspace.budgets.types import Need
from edison.workspace.resources import service as resources

# A check starts only if its estimated cost times this fits.
SAFETY_PERCENT = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a check runs, and what it is expected to cost together with its confirmation."""

    target: WatchedPrompt
    request: RunRequest
    estimate: RunEstimate
    need: Need


async def begin(database: Database, check_id: UUID, *, at_once: int, checks_at_once: int) -> None:
    """Moves the check from DUE on; it stays DUE while too many others are in progress."""
    async with database.read() as session:
        if await Checks(session).count_under_way() >= checks_at_once:
            return
    try:
        plan = await _plan(database, check_id, at_once=at_once)
        if plan is None:
            return
        async with database.write() as session:
            await _start(session, check_id, plan, checks_at_once=checks_at_once)
    except BudgetExhausted as exhausted:
        async with database.write() as session:
            await skip_for_budget(session, check_id, exhausted)
    except (Invalid, Conflict, Exhausted, NotFound) as refused:
        async with database.write() as session:
            await fail(session, check_id, reason="cannot_start", message=describe(refused))


async def _plan(database: Database, check_id: UUID, *, at_once: int) -> Plan | None:
    """Counting tokens takes long, so it happens between transactions."""
    async with database.read() as session:
        found = await _find_due(session, check_id)
        if found is None:
            return None
        monitor, check = found
        config = read_config(monitor)
        target = await find_monitor_target(session, monitor)
        request = run_request(config, target, name=f"{monitor.name} #{check.number}")
        survey = await run_plans.read_estimate_input(
            session, project_id=monitor.project_id, wanted=request, author_id=monitor.author_id
        )
        last = (await Checks(session).list_last([monitor.id], MonitorCheck.score.is_not(None))).get(
            monitor.id
        )
        is_dropped = AlertRule.DROP in await Alerts(session).list_open(monitor.id, is_locked=False)
    estimate = await run_plans.compute_estimate(survey, at_once=at_once)
    expected = _expected_nanos(estimate, last)
    if config.rules.drop.kind is DropKind.TWO_STAGE and not is_dropped:
        expected += expected * CONFIRM_REPEATS // config.repeats
    return Plan(
        target=target,
        request=request,
        estimate=estimate,
        need=_split(estimate, expected * SAFETY_PERCENT // 100),
    )


def _expected_nanos(estimate: RunEstimate, last: MonitorCheck | None) -> int:
    """The cost of the last measured check, if it had as many answers and no confirmation;
    otherwise the middle of the estimate.
    """
    if last is not None and last.measures is not None and last.confirm_run_id is None:
        answers = sum(each["answers"] for each in last.measures["models"])
        if answers == estimate.answer_calls and last.cost_nanos:
            return last.cost_nanos
    low, high = estimate.cost.low_usd, estimate.cost.high_usd
    if low is None or high is None:
        return 0
    return (nanos_from_usd(low) + nanos_from_usd(high)) // 2


def _split(estimate: RunEstimate, nanos: int) -> Need:
    """An amount as real and simulated dollars, in the proportion of the estimate."""
    known = estimate.known_cost.high_usd or Decimal(0)
    simulated = estimate.simulated_cost.high_usd or Decimal(0)
    if not simulated:
        return Need(real_nanos=nanos)
    of_simulated = int(nanos * simulated / known)
    return Need(
        real_nanos=None if simulated == known else nanos - of_simulated,
        simulated_nanos=of_simulated,
    )


async def _start(session: AsyncSession, check_id: UUID, plan: Plan, *, checks_at_once: int) -> None:
    # So that the number of checks at once is exact.
    await wait_for_turn(session, "begin a check")
    if await Checks(session).count_under_way() >= checks_at_once:
        return
    found = await _find_due(session, check_id, is_locked=True)
    if found is None:
        return
    monitor, check = found
    await budgets.check_open(
        session,
        project_id=monitor.project_id,
        scope_ids=(monitor.id,),
        need=plan.need,
    )
    run_id = await run_plans.add_run(
        session,
        context=context_of(monitor, lock="check"),
        wanted=plan.request,
        estimate=plan.estimate,
    )
    moved = await move(
        session,
        check,
        CheckState.RUNNING,
        run_id=run_id,
        version_id=plan.target.version_id,
        version_label=plan.target.version_label,
    )
    if moved is not None:
        await resources.publish(session, monitor)


def context_of(monitor: Monitor, *, lock: str) -> RunContext:
    return RunContext(
        project_id=monitor.project_id,
        origin=ORIGIN,
        author_id=monitor.author_id,
        priority=Priority.BACKGROUND,
        lock_name=f"monitor:{monitor.id}:{lock}",
        scope_ids=(monitor.id,),
        # Judgements of the check before, of any age.
        keep_for=None,
        keeps_judgements=True,
    )


async def add_confirmation(
    session: AsyncSession, monitor: Monitor, check: MonitorCheck, config: MonitorConfig
) -> UUID:
    """Repeats the answers of the check: same version, same cases. Raises Invalid when a case or the
    version is gone, and BudgetExhausted.
    """
    target = await find_monitor_target(session, monitor)
    target = WatchedPrompt(
        prompt_id=target.prompt_id,
        prompt_name=target.prompt_name,
        version_id=check.version_id or target.version_id,
        version_label=check.version_label or target.version_label,
        dataset_id=target.dataset_id,
    )
    request = run_request(
        config,
        target,
        name=f"{monitor.name} #{check.number}, confirmation",
        repeats=CONFIRM_REPEATS,
    )
    return await run_plans.add_run(
        session, context=context_of(monitor, lock="confirm"), wanted=request
    )


async def _find_due(
    session: AsyncSession, check_id: UUID, *, is_locked: bool = False
) -> tuple[Monitor, MonitorCheck] | None:
    """None unless the check is due. Locks the monitor before the check."""
    check = await Checks(session).find(check_id)
    if check is None:
        return None
    monitor = await Monitors(session).find(check.monitor_id, is_locked=is_locked)
    check = await Checks(session).find(check_id, is_locked=is_locked)
    if monitor is None or check is None or check.state != CheckState.DUE:
        return None
    return monitor, check


async def skip_for_budget(
    session: AsyncSession, check_id: UUID, exhausted: BudgetExhausted
) -> None:
    """Skips the check and pauses its monitor, with one notification."""
    found = await _find_due(session, check_id, is_locked=True)
    if found is None:
        return
    monitor, check = found
    moved = await move(
        session,
        check,
        CheckState.SKIPPED,
        reason=SkipReason.BUDGET,
        message=exhausted.message,
    )
    if moved is not None:
        await pause_for_budget(session, monitor, moved, exhausted)


async def pause_for_budget(
    session: AsyncSession, monitor: Monitor, check: MonitorCheck, exhausted: BudgetExhausted
) -> None:
    message = exhausted.message
    if monitor.state == MonitorState.ACTIVE:
        await pause.pause_for_budget(
            session,
            monitor,
            message=message,
            waits_for_midnight=pause.waits_for_midnight(exhausted),
        )
        await notify_paused(session, monitor, body=message)
    if read_config(monitor).rules.budget:
        finding = alert.Finding(
            rule=AlertRule.BUDGET,
            severity="warning",
            title=f"{monitor.name}: no money for the next check",
            message=message,
            is_quiet=True,
        )
        await alert.open_or_update(session, monitor, check, finding)
    await resources.publish(session, monitor)


async def fail(session: AsyncSession, check_id: UUID, *, reason: str, message: str) -> None:
    """Fails an active check, and alerts: a monitor whose checks fail does not watch."""
    check = await Checks(session).find(check_id)
    if check is None:
        return
    monitor = await Monitors(session).find(check.monitor_id, is_locked=True)
    check = await Checks(session).find(check_id, is_locked=True)
    if monitor is None or check is None:
        return
    moved = await move(session, check, CheckState.FAILED, reason=reason, message=message)
    if moved is None:
        return
    if read_config(monitor).rules.not_running:
        finding = alert.Finding(
            rule=AlertRule.NOT_RUNNING,
            title=f"{monitor.name}: check {check.number} failed",
            message=message,
        )
        await alert.open_or_update(session, monitor, moved, finding)
    await resources.publish(session, monitor)


def describe(refused: EdisonError) -> str:
    return sentence_of(refused) if isinstance(refused, Invalid) else refused.message
