"""Concludes a check: measures its run, starts or follows a confirmation, opens and resolves
alerts.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.jobs import cron
from edison.kit import clock
from edison.kit.errors import Conflict, EdisonError, Exhausted, Invalid, NotFound
from edison.kit.lazy_dataclasses import dataclass
from edison.loops.monitors.checks import alert
from edison.loops.monitors.checks.baseline import Baseline, read_baseline
from edison.loops.monitors.checks.begin import add_confirmation, describe
from edison.loops.monitors.checks.decide import CheckFacts, DropDecision, decide_drop, find_others
from edison.loops.monitors.checks.measure import MeasuredCheck, compare, measure_run, rule_of
from edison.loops.monitors.checks.transitions import move
from edison.loops.monitors.configure import CONFIRM_REPEATS, read_config
from edison.loops.monitors.models import Monitor, MonitorCheck
from edison.loops.monitors.repository.alerts import Alerts
from edison.loops.monitors.repository.checks import Checks
from edison.loops.monitors.repository.monitors import Monitors
from edison.loops.monitors.schemas.alerts import AlertEvidence
from edison.loops.monitors.schemas.checks import CheckMeasures
from edison.loops.monitors.schemas.monitors import MonitorConfig
from edison.loops.monitors.states import AlertRule, CheckState
from edison.runs.read import service as runs
from edison.runs.store.models import Run
from edison.runs.store.states import OVER as RUN_OVER
from edison.runs.store.states import RunState
from edison.workspace.resources import service as resources

# Checks that the rules look back on; a monthly schedule has a previous check.
HISTORY = timedelta(days=40)


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """A check and what it is compared with, read in one transaction."""

    monitor: Monitor
    check: MonitorCheck
    config: MonitorConfig
    baseline: Baseline


async def measure_check(database: Database, check_id: UUID) -> None:
    """Measures the run of a check in MEASURING; the check is done, or waits for a confirmation."""
    examined = await _examine(database, check_id, CheckState.MEASURING)
    if examined is None or examined.check.run_id is None:
        return
    measured = await measure_run(
        database, project_id=examined.monitor.project_id, run_id=examined.check.run_id
    )
    rule = rule_of(examined.config.rules.drop, models=len(measured.measures.models))
    compared = compare(measured, examined.baseline, rule)
    try:
        async with database.write() as session:
            await _conclude(session, examined, compared)
    except (Invalid, Conflict, Exhausted, NotFound) as refused:
        async with database.write() as session:
            await _conclude(session, examined, compared, refused=refused)


async def _examine(database: Database, check_id: UUID, state: CheckState) -> Examined | None:
    async with database.read() as session:
        check = await Checks(session).find(check_id)
        if check is None or check.state != state:
            return None
        monitor = await Monitors(session).find(check.monitor_id)
        if monitor is None:
            return None
        checks = Checks(session)
        parts = await checks.list_baseline(monitor, before=check.number)
        without_alert = await checks.list_without_alert(monitor, before=check.number)
    return Examined(
        monitor=monitor,
        check=check,
        config=read_config(monitor),
        baseline=read_baseline(parts, without_alert),
    )


async def _conclude(
    session: AsyncSession,
    examined: Examined,
    measured: MeasuredCheck,
    *,
    refused: EdisonError | None = None,
) -> None:
    """`refused` says why the confirmation cannot run."""
    found = await _lock(session, examined.check.id, CheckState.MEASURING)
    if found is None:
        return
    monitor, check = found
    facts = await _gather(session, monitor, check, examined, measured.measures)
    decision = decide_drop(facts)
    values: dict[str, Any] = {
        "score": measured.measures.score,
        "measures": measured.measures.model_dump(mode="json"),
        "case_scores": {key: dict(scores) for key, scores in measured.scores.items()},
        "cases_digest": measured.cases_digest,
    }
    if decision.needs_confirmation and refused is None:
        run_id = await add_confirmation(session, monitor, check, examined.config)
        moved = await move(session, check, CheckState.CONFIRMING, confirm_run_id=run_id, **values)
        if moved is not None:
            await resources.publish(session, monitor)
        return
    if refused is not None:
        message = f"Looked lower, but the answers could not be repeated: {describe(refused)}"
        decision = replace(decision, message=message)
    await _finish(session, monitor, check, facts=facts, decision=decision, values=values)


async def follow_confirmation(database: Database, check_id: UUID) -> None:
    """Concludes a check in CONFIRMING when the repeated answers are there."""
    examined = await _examine(database, check_id, CheckState.CONFIRMING)
    if examined is None or examined.check.measures is None:
        return
    measures = CheckMeasures.model_validate(examined.check.measures)
    run = await _find_run(database, examined.check.confirm_run_id)
    problem = _problem_of(run)
    if problem is None and run is not None and run.state not in RUN_OVER:
        return
    if problem is None and run is not None:
        again = await measure_run(database, project_id=examined.monitor.project_id, run_id=run.id)
        rule = rule_of(examined.config.rules.drop, models=len(measures.models))
        repeats = CONFIRM_REPEATS / examined.config.repeats
        compared = compare(again, examined.baseline, rule, repeats=repeats)
        measures = _add_confirmation(measures, compared.measures)
    async with database.write() as session:
        found = await _lock(session, check_id, CheckState.CONFIRMING)
        if found is None:
            return
        monitor, check = found
        if run is not None and run.state not in (RunState.COMPLETED, RunState.CANCELLED):
            await runs.cancel_run(session, project_id=monitor.project_id, run_id=run.id)
        facts = await _gather(session, monitor, check, examined, measures)
        decision = decide_drop(facts, is_confirmation=True)
        if problem is not None:
            message = f"Looked lower, but the answers could not be repeated: {problem}"
            decision = replace(decision, message=message)
        values = {"measures": measures.model_dump(mode="json")}
        await _finish(session, monitor, check, facts=facts, decision=decision, values=values)


async def _find_run(database: Database, run_id: UUID | None) -> Run | None:
    if run_id is None:
        return None
    async with database.read() as session:
        return (await Checks(session).find_runs([run_id])).get(run_id)


def _problem_of(run: Run | None) -> str | None:
    """Why the confirmation will not end by itself; None while it runs, or when it is complete."""
    if run is None:
        return "the run was deleted."
    match RunState(run.state):
        case RunState.CANCELLED:
            return "the run was cancelled."
        case RunState.FAILED:
            return run.message or "the run failed."
        case RunState.PAUSED if run.reason == "budget":
            return run.message or "a budget was used up."
        case _:
            return None


def _add_confirmation(measures: CheckMeasures, again: CheckMeasures) -> CheckMeasures:
    repeated = {model.key: model.drop for model in again.models}
    models = [
        model.model_copy(update={"confirmation": repeated.get(model.key)})
        for model in measures.models
    ]
    return measures.model_copy(update={"models": models})


async def _lock(
    session: AsyncSession, check_id: UUID, state: CheckState
) -> tuple[Monitor, MonitorCheck] | None:
    """None unless the check is in this state. Locks the monitor before the check."""
    check = await Checks(session).find(check_id)
    if check is None:
        return None
    monitor = await Monitors(session).find(check.monitor_id, is_locked=True)
    check = await Checks(session).find(check_id, is_locked=True)
    if monitor is None or check is None or check.state != state:
        return None
    return monitor, check


async def _gather(
    session: AsyncSession,
    monitor: Monitor,
    check: MonitorCheck,
    examined: Examined,
    measures: CheckMeasures,
) -> CheckFacts:
    opened = (await Alerts(session).list_open(monitor.id)).get(AlertRule.DROP)
    since = clock.now() - HISTORY
    if monitor.baseline_since is not None:
        since = max(since, monitor.baseline_since)
    history = list(await Checks(session).list_scores(monitor.id, before=check.number, since=since))
    if measures.score is not None:
        history.append((check.scheduled_for, measures.score))
    evidence = None if opened is None else AlertEvidence.model_validate(opened.details)
    return CheckFacts(
        name=monitor.name,
        number=check.number,
        rules=examined.config.rules,
        rule=rule_of(examined.config.rules.drop, models=max(1, len(measures.models))),
        measures=measures,
        baseline=examined.baseline,
        checks_a_year=cron.times_a_year(monitor.cron),
        next_at=monitor.next_run_at,
        history=history,
        is_dropped=opened is not None,
        dropped_from=None if evidence is None else evidence.reference,
        run_id=check.run_id,
    )


async def _finish(
    session: AsyncSession,
    monitor: Monitor,
    check: MonitorCheck,
    *,
    facts: CheckFacts,
    decision: DropDecision,
    values: Mapping[str, Any],
) -> None:
    """The check is done; alerts follow from it in the same transaction."""
    moved = await move(
        session,
        check,
        CheckState.DONE,
        verdict=decision.verdict,
        message=decision.message,
        **values,
    )
    if moved is None:
        return
    findings: dict[AlertRule, alert.Finding | None] = dict(find_others(facts))
    findings[AlertRule.NOT_RUNNING] = None
    if decision.finding is not None or decision.has_recovered:
        findings[AlertRule.DROP] = decision.finding
    opened = await Alerts(session).list_open(monitor.id)
    for rule, finding in findings.items():
        if finding is not None:
            await alert.open_or_update(session, monitor, moved, finding)
        elif rule in opened:
            message = decision.message if rule is AlertRule.DROP else None
            await alert.recover(
                session,
                monitor,
                opened[rule],
                message=message or f"Check {check.number} is back within the rule.",
            )
    await resources.publish(session, monitor)
