"""`monitors/<name>/`: `monitor.yaml` and `checks.jsonl`. An imported monitor is paused: a member
has to confirm that it may spend money here.
"""

from collections.abc import Collection
from decimal import Decimal, InvalidOperation
from typing import Any
from uuid import UUID

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import update
from sqlalchemy.orm import undefer

from edison.jobs import cron
from edison.jobs.cron import BadCron
from edison.kit.money import usd_from_nanos
from edison.library.models import service as registry
from edison.library.models.models import Model
from edison.library.scorers.models import SavedScorer
from edison.loops.bundles.archive import folder_name
from edison.loops.bundles.columns import codec
from edison.loops.bundles.errors import BundleRefused, refusal
from edison.loops.bundles.identities import ids_in
from edison.loops.bundles.parts.context import Export, Import
from edison.loops.monitors.models import Monitor, MonitorCheck, MonitorModel, MonitorScorer
from edison.loops.monitors.schemas.checks import CheckMeasures
from edison.loops.monitors.schemas.monitors import BaselineChange, MonitorConfig
from edison.loops.monitors.states import ACTIVE, CheckState, MonitorState, PauseReason
from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.models import Period, Scope
from edison.workspace.budgets.types import ScopeLimit

# The state belongs to the place where it was exported, the counters follow from the checks.
_MONITOR = codec(
    Monitor,
    "state",
    "pause_reason",
    "pause_message",
    "resume_at",
    "next_run_at",
    "muted_until",
    "check_count",
    "pinned_check_id",
    "updated_at",
)
_CHECK = codec(MonitorCheck, "active_key")
_FOLDER = r"monitors/[^/]+/monitor\.yaml"
_LEAST, _MOST = Decimal("0.01"), Decimal(10_000)
_PAUSED = "Imported. Resume it to check here."
_ENDED = "It had not ended when it was exported."
_SCORES: TypeAdapter[dict[str, dict[str, float]]] = TypeAdapter(dict[str, dict[str, float]])
_CHANGES: TypeAdapter[list[BaselineChange]] = TypeAdapter(list[BaselineChange])


async def write_monitors(
    export: Export, monitor_ids: Collection[UUID], *, with_checks: bool
) -> None:
    rows = export.rows
    limits = await budgets.list_scope_balances(
        export.session,
        project_id=export.project_id,
        scope_ids=monitor_ids,
        period=Period.DAY,
    )
    for number, monitor in enumerate(await rows.list_by_id(Monitor, monitor_ids), start=1):
        folder = f"monitors/{folder_name(number, monitor.name)}"
        limit = limits.get(monitor.id)
        models = await rows.column(MonitorModel.model_id, MonitorModel.monitor_id == monitor.id)
        scorers = await rows.column(MonitorScorer.scorer_id, MonitorScorer.monitor_id == monitor.id)
        pinned = monitor.pinned_check_id if with_checks else None
        export.writer.add_yaml(
            f"{folder}/monitor.yaml",
            _MONITOR.encode(monitor)
            | {
                # Without the people who changed it.
                "baselines": [{**each, "author": None} for each in monitor.baselines],
                "daily_budget_usd": None
                if limit is None
                else f"{usd_from_nanos(limit.limit_nanos)}",
                "uses": [str(each) for each in (*sorted(models), *sorted(scorers))],
                "pinned_check_id": None if pinned is None else str(pinned),
            },
        )
        if with_checks:
            await export.write_lines(
                f"{folder}/checks.jsonl",
                rows.stream(
                    MonitorCheck,
                    MonitorCheck.monitor_id == monitor.id,
                    order=[MonitorCheck.number],
                    options=[undefer(MonitorCheck.case_scores)],
                ),
                _CHECK.encode,
            )


async def read_monitors(into: Import) -> None:
    """Prompts, datasets, models, scorers and runs come before."""
    for path in into.bundle.matching(_FOLDER):
        await _read_monitor(into, path)


async def _read_monitor(into: Import, path: str) -> None:
    record = into.bundle.yaml(path)
    values = _MONITOR.decode(record, place=path, identities=into.identities)
    _check(values, path)
    if await into.find_kept(Monitor, values["name"], noun=Monitor.NOUN) is not None:
        return
    values |= {
        "name": await into.choose_name(Monitor, values["name"], noun=Monitor.NOUN),
        "project_id": into.project_id,
        "author_id": into.author_id,
        "updated_at": values["created_at"],
        "state": MonitorState.PAUSED,
        "pause_reason": PauseReason.RESTORED,
        "pause_message": _PAUSED,
        "check_count": 0,
    }
    await into.rows.insert(Monitor, [values], part=path)
    models = await _set_uses(into, values["id"], record.get("uses"), part=path)
    limit = _limit(record.get("daily_budget_usd"), path)
    await budgets.set_scope_limit(
        into.session,
        project_id=into.project_id,
        scope=(Scope.MONITOR, values["id"]),
        limit=ScopeLimit(
            limit_usd=limit,
            period=Period.DAY,
            counts_simulated=await registry.are_simulated(
                into.session, project_id=into.project_id, model_ids=models
            ),
        ),
    )
    highest = 0

    def check(place: str, line: dict[str, Any]) -> dict[str, Any]:
        nonlocal highest
        row = _CHECK.decode(line, place=place, identities=into.identities)
        if row["monitor_id"] != values["id"]:
            message = "monitor_id: This check belongs to another monitor."
            raise BundleRefused(place, message, code="bad_value")
        _check_results(row, place)
        if row["state"] in ACTIVE:
            row |= {"state": CheckState.CANCELLED, "reason": "imported", "message": _ENDED}
        highest = max(highest, row["number"])
        return row | {"active_key": None}

    part = path.replace("monitor.yaml", "checks.jsonl")
    if part in into.bundle.paths:
        await into.insert_lines(MonitorCheck, part, check)
    pinned = ids_in(str(record.get("pinned_check_id")))
    await into.session.execute(
        update(Monitor)
        .where(Monitor.id == values["id"])
        .values(
            check_count=highest,
            pinned_check_id=into.identities.find(pinned.pop()) if pinned else None,
            updated_at=values["created_at"],
        )
    )
    into.monitor_ids.append(values["id"])


def _check(values: dict[str, Any], place: str) -> None:
    """Raises BundleRefused for contents that a form would refuse."""
    try:
        values["cron"] = cron.normalise(values["cron"])
        MonitorConfig.model_validate(values["config"])
        _CHANGES.validate_python(values["baselines"])
    except BadCron as wrong:
        raise BundleRefused(place, f"cron: {wrong}", code="bad_value") from wrong
    except ValidationError as wrong:
        raise refusal(wrong, place) from wrong


def _check_results(row: dict[str, Any], place: str) -> None:
    try:
        if row["measures"] is not None:
            CheckMeasures.model_validate(row["measures"])
        if row["case_scores"] is not None:
            _SCORES.validate_python(row["case_scores"])
    except ValidationError as wrong:
        raise refusal(wrong, place) from wrong


async def _set_uses(into: Import, monitor_id: UUID, uses: Any, *, part: str) -> list[UUID]:
    """Links to models and saved scorers, so that they are not deleted unnoticed. Returns the ids
    of the models.
    """
    ids = {new for each in ids_in(uses) if (new := into.identities.find(each)) is not None}
    models = [each.id for each in await into.rows.list_by_id(Model, ids)]
    scorers = [each.id for each in await into.rows.list_by_id(SavedScorer, ids)]
    for table, column, found in (
        (MonitorModel, "model_id", models),
        (MonitorScorer, "scorer_id", scorers),
    ):
        rows = [{"monitor_id": monitor_id, column: each} for each in found]
        await into.rows.insert(table, rows, part=part)
    return models


def _limit(limit: Any, place: str) -> Decimal | None:
    if limit is None:
        return None
    try:
        amount = Decimal(str(limit))
    except InvalidOperation as wrong:
        message = "daily_budget_usd: This is not an amount."
        raise BundleRefused(place, message, code="bad_value") from wrong
    if not (amount.is_finite() and _LEAST <= amount <= _MOST):
        message = f"daily_budget_usd: This must be from {_LEAST} to {_MOST}."
        raise BundleRefused(place, message, code="bad_value")
    return amount
