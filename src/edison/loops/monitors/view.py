"""Converts monitors, checks and alerts to response schemas."""

from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.jobs import cron
from edison.kit import clock
from edison.kit.lazy_dataclasses import dataclass
from edison.kit.money import usd_from_nanos
from edison.library.datasets.models import Dataset
from edison.library.prompts.models import Prompt, PromptVersion
from edison.loops.monitors.checks.baseline import mean_of
from edison.loops.monitors.configure import read_config
from edison.loops.monitors.models import Monitor, MonitorCheck
from edison.loops.monitors.repository.alerts import AlertRow, Alerts
from edison.loops.monitors.repository.checks import Checks
from edison.loops.monitors.repository.monitors import Monitors
from edison.loops.monitors.schemas.alerts import AlertEvidence, AlertRead
from edison.loops.monitors.schemas.checks import CheckMeasures, MonitorCheckRead
from edison.loops.monitors.schemas.monitors import (
    BaselineChange,
    BaselineRead,
    MonitorDetail,
    MonitorMoney,
    MonitorPromptRead,
    MonitorReference,
    MonitorSummary,
    PauseRead,
)
from edison.loops.monitors.states import ACTIVE, CheckState, MonitorState, PauseReason
from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.models import Period
from edison.workspace.budgets.types import ScopeBalance

NEXT_TIMES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class _MonitorContext:
    """What a list of monitors shows besides their columns, in a fixed number of queries."""

    prompts: Mapping[UUID, Prompt]
    production: Mapping[UUID, PromptVersion]
    versions: Mapping[UUID, PromptVersion]
    datasets: Mapping[UUID, Dataset]
    models: Mapping[UUID, str]
    last: Mapping[UUID, MonitorCheck]
    measured: Mapping[UUID, MonitorCheck]
    costs: Mapping[UUID, int]
    alerts: Mapping[UUID, tuple[int, int]]
    balances: Mapping[UUID, ScopeBalance]
    today: Mapping[UUID, int]
    lifetime: Mapping[UUID, int]


async def describe_several(
    session: AsyncSession, monitors: Sequence[Monitor]
) -> list[MonitorSummary]:
    if not monitors:
        return []
    around = await _read_surroundings(session, monitors)
    return [_summary(each, around) for each in monitors]


async def describe(session: AsyncSession, monitor: Monitor) -> MonitorDetail:
    around = await _read_surroundings(session, [monitor])
    summary = _summary(monitor, around)
    baseline = await Checks(session).list_baseline_scores(monitor)
    next_times = []
    if monitor.state == MonitorState.ACTIVE:
        next_times = cron.list_next(monitor.cron, after=clock.now(), count=NEXT_TIMES)
    return MonitorDetail(
        **{name: getattr(summary, name) for name in MonitorSummary.model_fields},
        author=await Monitors(session).find_email(monitor.author_id),
        config=read_config(monitor),
        next_times=next_times,
        baseline=BaselineRead(
            score=mean_of([score for _, score in baseline]),
            checks=[number for number, _ in baseline],
            is_pinned=monitor.pinned_check_id is not None,
            since=monitor.baseline_since,
            history=[BaselineChange.model_validate(each) for each in monitor.baselines],
        ),
    )


async def _read_surroundings(session: AsyncSession, found: Sequence[Monitor]) -> _MonitorContext:
    monitors, checks = Monitors(session), Checks(session)
    ids = [each.id for each in found]
    prompt_ids = {each.prompt_id for each in found if each.prompt_id is not None}
    version_ids = {each.version_id for each in found if each.version_id is not None}
    production, versions = await monitors.find_versions(prompt_ids, version_ids)
    model_ids = {model.model_id for each in found for model in read_config(each).models}
    last = await checks.list_last(ids)
    measured = await checks.list_last(ids, MonitorCheck.state == CheckState.DONE)
    return _MonitorContext(
        prompts=await monitors.find_prompts(prompt_ids),
        production=production,
        versions=versions,
        datasets=await monitors.find_datasets(
            {each.dataset_id for each in found if each.dataset_id is not None}
        ),
        models=await monitors.find_model_names(model_ids),
        last=last,
        measured=measured,
        costs=await checks.find_costs(
            [check.id for check in last.values() if check.state in ACTIVE]
        ),
        alerts=await Alerts(session).count_open(ids),
        balances=await budgets.list_scope_balances(
            session, project_id=found[0].project_id, scope_ids=ids, period=Period.DAY
        ),
        today=await checks.sum_costs(ids, since=clock.midnight(clock.now().date())),
        lifetime=await checks.sum_costs(ids),
    )


def _summary(monitor: Monitor, around: _MonitorContext) -> MonitorSummary:
    count, severe = around.alerts.get(monitor.id, (0, 0))
    dataset = None if monitor.dataset_id is None else around.datasets.get(monitor.dataset_id)
    last, measured = around.last.get(monitor.id), around.measured.get(monitor.id)
    pinned = monitor.pinned_check_id
    worst = None if not count else "alert" if severe else "warning"
    return MonitorSummary.model_validate(
        {
            "id": monitor.id,
            "name": monitor.name,
            "state": monitor.state,
            "pause": _pause(monitor),
            "archived_at": monitor.archived_at,
            "created_at": monitor.created_at,
            "updated_at": monitor.updated_at,
            "prompt": _prompt(monitor, around),
            "dataset": None if dataset is None else _reference(dataset),
            "models": [
                around.models.get(each.model_id, "Deleted model")
                for each in read_config(monitor).models
            ],
            "cron": monitor.cron,
            "schedule": cron.explain(monitor.cron),
            "next_run_at": monitor.next_run_at,
            "muted_until": monitor.muted_until,
            "check_count": monitor.check_count,
            "last_check": last and read_check(last, pinned_id=pinned, costs=around.costs),
            "last_measured": measured and read_check(measured, pinned_id=pinned),
            "open_alerts": count,
            "worst_alert": worst,
            "money": _money(monitor, around),
        }
    )


def _reference(dataset: Dataset) -> MonitorReference:
    return MonitorReference(id=dataset.id, name=dataset.name)


def _money(monitor: Monitor, around: _MonitorContext) -> MonitorMoney:
    """The budget also knows calls of deleted runs."""
    balance = around.balances.get(monitor.id)
    today = around.today.get(monitor.id, 0) if balance is None else balance.spent_nanos
    return MonitorMoney(
        daily_budget_usd=None if balance is None else usd_from_nanos(balance.limit_nanos),
        today_usd=usd_from_nanos(today),
        lifetime_usd=usd_from_nanos(around.lifetime.get(monitor.id, 0)),
    )


def _pause(monitor: Monitor) -> PauseRead | None:
    if monitor.pause_reason is None:
        return None
    return PauseRead(
        reason=PauseReason(monitor.pause_reason),
        message=monitor.pause_message,
        resume_at=monitor.resume_at,
    )


def _prompt(monitor: Monitor, around: _MonitorContext) -> MonitorPromptRead:
    prompt = None if monitor.prompt_id is None else around.prompts.get(monitor.prompt_id)
    version = None
    if monitor.is_production and monitor.prompt_id is not None:
        version = around.production.get(monitor.prompt_id)
    elif monitor.version_id is not None:
        version = around.versions.get(monitor.version_id)
    return MonitorPromptRead(
        id=monitor.prompt_id,
        name=None if prompt is None else prompt.name,
        is_production=monitor.is_production,
        version_id=None if version is None else version.id,
        version_label=None if version is None else version.label,
    )


def read_check(
    check: MonitorCheck, *, pinned_id: UUID | None, costs: Mapping[UUID, int] | None = None
) -> MonitorCheckRead:
    """`costs` are those of active checks, whose own cost is not stored yet."""
    nanos = (costs or {}).get(check.id, check.cost_nanos)
    measures = check.measures
    return MonitorCheckRead.model_validate(
        {
            **{
                name: getattr(check, name)
                for name in MonitorCheckRead.model_fields
                if name not in ("cost_usd", "is_pinned", "measures")
            },
            "cost_usd": usd_from_nanos(nanos),
            "is_pinned": check.id == pinned_id,
            "measures": None if measures is None else CheckMeasures.model_validate(measures),
        }
    )


async def read_checks(
    session: AsyncSession, monitor: Monitor, found: Collection[MonitorCheck]
) -> list[MonitorCheckRead]:
    costs = await Checks(session).find_costs([check.id for check in found if check.state in ACTIVE])
    return [read_check(each, pinned_id=monitor.pinned_check_id, costs=costs) for each in found]


def read_alert(row: AlertRow) -> AlertRead:
    alert, monitor_name, number, acknowledged_by, resolved_by = row
    return AlertRead.model_validate(
        {
            **{
                name: getattr(alert, name)
                for name in AlertRead.model_fields
                if hasattr(alert, name)
            },
            "monitor": MonitorReference(id=alert.monitor_id, name=monitor_name),
            "check_number": number,
            "acknowledged_by": acknowledged_by,
            "resolved_by": resolved_by,
            "evidence": AlertEvidence.model_validate(alert.details),
        }
    )
