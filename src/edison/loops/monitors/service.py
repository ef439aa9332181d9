"""Monitors of a project: create, change, copy, archive, delete; and hooks about their use."""

from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import Any
from uuid import UUID

from pydantic import ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.jobs import cron
from edison.kit import clock, ids
from edison.kit.errors import FieldProblem, Invalid
from edison.loops.monitors import view
from edison.loops.monitors.configure import read_config, validate
from edison.loops.monitors.errors import CheckUnderWay
from edison.loops.monitors.models import Monitor, MonitorModel, MonitorScorer
from edison.loops.monitors.repository.checks import Checks
from edison.loops.monitors.repository.monitors import Monitors
from edison.loops.monitors.schemas.monitors import (
    MonitorChange,
    MonitorDetail,
    MonitorFilter,
    MonitorPlan,
    MonitorRequest,
    MonitorSummary,
    dump_config,
)
from edison.loops.monitors.states import MonitorState, PauseReason
from edison.runs.plan.service import EstimateInput
from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.models import Period, Scope
from edison.workspace.budgets.types import ScopeLimit
from edison.workspace.resources import service as resources

_VERSION_DELETED = FieldProblem(
    field="version_id",
    message="The prompt version of this monitor was deleted. Choose another one.",
    code="version_deleted",
)
_COPIED = "Copied from another monitor. Resume it when it is set up."
_UNARCHIVED = "It was archived. Resume it to check again."
_SCORERS_CHANGED = "The scorers changed, so earlier scores are not comparable."


async def list_monitors(
    session: AsyncSession, *, project_id: UUID, wanted: MonitorFilter, page: PageRequest
) -> Slice[MonitorSummary]:
    found = await Monitors(session).list_of_project(project_id, wanted=wanted, page=page)
    return found.with_items(await view.describe_several(session, [row[0] for row in found.items]))


async def get_monitor(
    session: AsyncSession, *, project_id: UUID, monitor_id: UUID
) -> MonitorDetail:
    monitor = await Monitors(session).get(project_id, monitor_id)
    return await view.describe(session, monitor)


async def create_monitor(
    session: AsyncSession, *, project_id: UUID, wanted: MonitorRequest, author_id: UUID
) -> MonitorDetail:
    """Creates an active monitor. Raises Invalid with all problems, and DuplicateName."""
    survey = await validate(session, project_id=project_id, wanted=wanted, author_id=author_id)
    monitors = Monitors(session)
    await resources.check_name(monitors, project_id, wanted.name)
    now = clock.now()
    monitor = Monitor(
        id=ids.new_id(),
        project_id=project_id,
        name=wanted.name,
        state=MonitorState.ACTIVE,
        author_id=author_id,
        next_run_at=cron.next_time(wanted.cron, after=now),
        check_count=0,
        baselines=[],
        **_columns(wanted, survey),
    )
    await monitors.add(monitor)
    await _note_uses(session, monitor.id, survey)
    await _set_budget(session, monitor, _limit_of(wanted, survey))
    after = _described(monitor, wanted.daily_budget_usd)
    await resources.note(session, monitor, "created", after=after)
    return await get_monitor(session, project_id=project_id, monitor_id=monitor.id)


async def change_monitor(
    session: AsyncSession,
    *,
    project_id: UUID,
    monitor_id: UUID,
    change: MonitorChange,
    author_id: UUID,
) -> MonitorDetail:
    """Changes the fields that were sent; the next check uses them. Raises Invalid, DuplicateName
    and Archived.
    """
    monitors = Monitors(session)
    monitor = await resources.lock_active(monitors, project_id, monitor_id)
    budget = (await _find_limit(session, monitor)).limit_usd
    before = _described(monitor, budget)
    given = change.model_dump(exclude_unset=True, exclude={"name"})
    if change.name is not None and change.name != monitor.name:
        await resources.check_name(monitors, project_id, change.name)
        monitor.name = change.name
    if given:
        if not (monitor.is_production or monitor.version_id or "version_id" in given):
            raise Invalid(_VERSION_DELETED)
        wanted = _read_plan(plan_of(monitor, budget) | given)
        budget = wanted.daily_budget_usd
        survey = await validate(session, project_id=project_id, wanted=wanted, author_id=author_id)
        await _apply(session, monitor, wanted, survey)
        await _note_uses(session, monitor.id, survey)
    await session.flush()
    after = _described(monitor, budget)
    await resources.note(session, monitor, "changed", before=before, after=after)
    return await get_monitor(session, project_id=project_id, monitor_id=monitor_id)


async def _apply(
    session: AsyncSession, monitor: Monitor, wanted: MonitorPlan, survey: EstimateInput
) -> None:
    """Sets the columns of a locked monitor."""
    now = clock.now()
    columns = _columns(wanted, survey)
    if columns["config"]["scorers"] != monitor.config["scorers"]:
        monitor.baseline_since, monitor.pinned_check_id = now, None
        change = {"at": now.isoformat(), "note": _SCORERS_CHANGED, "author": None}
        monitor.baselines = [*monitor.baselines, change]
    is_rescheduled = columns["cron"] != monitor.cron
    for name, value in columns.items():
        setattr(monitor, name, value)
    if is_rescheduled and monitor.state == MonitorState.ACTIVE:
        monitor.next_run_at = cron.next_time(monitor.cron, after=now)
    await _set_budget(session, monitor, _limit_of(wanted, survey))


def _limit_of(wanted: MonitorPlan, survey: EstimateInput) -> ScopeLimit:
    called = [each.model for each in survey.plan.variants]
    called += [each.model for each in survey.judges]
    return ScopeLimit(
        limit_usd=wanted.daily_budget_usd,
        period=Period.DAY,
        counts_simulated=all(each.is_simulated for each in called),
    )


async def _set_budget(session: AsyncSession, monitor: Monitor, limit: ScopeLimit) -> None:
    scope = (Scope.MONITOR, monitor.id)
    await budgets.set_scope_limit(session, project_id=monitor.project_id, scope=scope, limit=limit)


async def _find_limit(session: AsyncSession, monitor: Monitor) -> ScopeLimit:
    return await budgets.find_scope_limit(
        session, project_id=monitor.project_id, scope_id=monitor.id, period=Period.DAY
    )


def _read_plan(fields: dict[str, Any]) -> MonitorPlan:
    """Raises Invalid, also for a field that is null but must not be."""
    try:
        return MonitorPlan.model_validate(fields)
    except ValidationError as wrong:
        raise Invalid(
            *(
                FieldProblem(
                    field=".".join(str(part) for part in each["loc"]),
                    message=each["msg"].removeprefix("Value error, "),
                    code=each["type"],
                )
                for each in wrong.errors()
            )
        ) from wrong


def plan_of(monitor: Monitor, daily_budget_usd: Decimal | None) -> dict[str, Any]:
    """The monitor's fields as in a request."""
    return monitor.config | {
        "prompt_id": monitor.prompt_id,
        "version_id": monitor.version_id,
        "dataset_id": monitor.dataset_id,
        "cron": monitor.cron,
        "daily_budget_usd": daily_budget_usd,
    }


def _columns(wanted: MonitorPlan, survey: EstimateInput) -> dict[str, Any]:
    """Weights of saved scorers are stored with the monitor, so that its form can show them."""
    config = wanted.config()
    scorers = [
        request.model_copy(update={"weight": planned.weight})
        for request, planned in zip(config.scorers, survey.plan.scorers, strict=True)
    ]
    config = config.model_copy(update={"scorers": scorers})
    return {
        "prompt_id": wanted.prompt_id,
        "version_id": wanted.version_id,
        "is_production": wanted.version_id is None,
        "dataset_id": wanted.dataset_id,
        "cron": wanted.cron,
        "config": dump_config(config),
    }


async def _note_uses(session: AsyncSession, monitor_id: UUID, survey: EstimateInput) -> None:
    model_ids = [variant.model.id for variant in survey.plan.variants]
    model_ids += [judge.model.id for judge in survey.judges]
    version_ids = [
        each.scorer_version_id for each in survey.plan.scorers if each.scorer_version_id is not None
    ]
    await Monitors(session).set_uses(monitor_id, model_ids=model_ids, version_ids=version_ids)


async def duplicate_monitor(
    session: AsyncSession,
    *,
    project_id: UUID,
    monitor_id: UUID,
    name: str | None,
    author_id: UUID,
) -> MonitorDetail:
    """Creates a paused copy without checks and alerts."""
    monitors = Monitors(session)
    original = await monitors.get(project_id, monitor_id)
    if name is not None:
        await resources.check_name(monitors, project_id, name)
    copy = Monitor(
        id=ids.new_id(),
        project_id=project_id,
        name=name or await resources.find_copy_name(monitors, project_id, original.name),
        state=MonitorState.PAUSED,
        pause_reason=PauseReason.PERSON,
        pause_message=_COPIED,
        author_id=author_id,
        prompt_id=original.prompt_id,
        version_id=original.version_id,
        is_production=original.is_production,
        dataset_id=original.dataset_id,
        cron=original.cron,
        check_count=0,
        baselines=[],
        config=original.config,
    )
    await monitors.add(copy)
    await monitors.copy_uses(original.id, copy.id)
    limit = await _find_limit(session, original)
    await _set_budget(session, copy, limit)
    after = _described(copy, limit.limit_usd) | {"copy_of": str(original.id)}
    await resources.note(session, copy, "created", after=after)
    return await get_monitor(session, project_id=project_id, monitor_id=copy.id)


async def set_archived(
    session: AsyncSession, *, project_id: UUID, monitor_id: UUID, is_archived: bool
) -> MonitorDetail:
    """Archives the monitor, which stops its checks, or restores it paused. Raises
    CheckUnderWay.
    """
    monitors = Monitors(session)
    monitor = await monitors.get(project_id, monitor_id, to_change=True)
    if await Checks(session).find_active(monitor_id) is not None:
        raise CheckUnderWay
    await resources.set_archived(monitors, monitor, is_archived=is_archived)
    await monitors.change(
        monitor_id,
        {
            "state": MonitorState.PAUSED,
            "pause_reason": PauseReason.PERSON,
            "pause_message": None if is_archived else _UNARCHIVED,
            "resume_at": None,
            "next_run_at": None,
        },
    )
    return await get_monitor(session, project_id=project_id, monitor_id=monitor_id)


async def delete_monitor(session: AsyncSession, *, project_id: UUID, monitor_id: UUID) -> None:
    """Deletes the monitor with its checks and alerts. Runs and ledger entries are kept. Raises
    CheckUnderWay.
    """
    monitors = Monitors(session)
    monitor = await monitors.get(project_id, monitor_id, to_change=True)
    if await Checks(session).find_active(monitor_id) is not None:
        raise CheckUnderWay
    await budgets.delete_scope_budgets(session, project_id=project_id, scope_id=monitor_id)
    before = {"name": monitor.name, "checks": monitor.check_count}
    await monitors.remove(monitor_id)
    await resources.note(session, monitor, "deleted", before=before)


def _described(monitor: Monitor, daily_budget_usd: Decimal | None) -> dict[str, Any]:
    config = read_config(monitor)
    return {
        "name": monitor.name,
        "cron": monitor.cron,
        "prompt_id": str(monitor.prompt_id),
        "version_id": None if monitor.version_id is None else str(monitor.version_id),
        "dataset_id": str(monitor.dataset_id),
        "daily_budget_usd": None if daily_budget_usd is None else f"{daily_budget_usd:f}",
        "models": [str(each.model_id) for each in config.models],
        "rules": config.rules.model_dump(mode="json"),
    }


async def find_names(
    session: AsyncSession, project_id: UUID, monitor_ids: Collection[UUID]
) -> Mapping[UUID, str]:
    """Hook of `workspace/budgets`: names of monitors as budget scopes."""
    return await Monitors(session).find_names(project_id, monitor_ids)


async def find_use_of_prompt(session: AsyncSession, prompt_id: UUID) -> str | None:
    name = await Monitors(session).find_using(Monitor.prompt_id, prompt_id)
    return None if name is None else f"The monitor {name} checks this prompt."


async def find_use_of_dataset(session: AsyncSession, dataset_id: UUID) -> str | None:
    name = await Monitors(session).find_using(Monitor.dataset_id, dataset_id)
    return None if name is None else f"The monitor {name} uses this dataset."


async def find_use_of_model(session: AsyncSession, model_id: UUID) -> str | None:
    name = await Monitors(session).find_linked(MonitorModel, MonitorModel.model_id, model_id)
    return None if name is None else f"The monitor {name} uses this model."


async def find_use_of_scorer(session: AsyncSession, scorer_id: UUID) -> str | None:
    name = await Monitors(session).find_linked(MonitorScorer, MonitorScorer.scorer_id, scorer_id)
    return None if name is None else f"The monitor {name} uses this scorer."
