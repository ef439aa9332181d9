"""The trend of a monitor: scores over time, with the baseline and markers."""

import math
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any
from uuid import UUID

from pydantic import TypeAdapter
from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import clock
from edison.kit.money import usd_from_nanos
from edison.loops.monitors.checks.baseline import mean_of
from edison.loops.monitors.configure import read_config
from edison.loops.monitors.models import Alert, Monitor
from edison.loops.monitors.repository.alerts import Alerts
from edison.loops.monitors.repository.checks import Checks, TrendCheck
from edison.loops.monitors.repository.monitors import Monitors
from edison.loops.monitors.schemas.checks import (
    CheckPoint,
    DayCost,
    Days,
    SeriesLabel,
    TrendMarker,
    TrendModel,
    TrendRead,
)
from edison.loops.monitors.schemas.rules import DropKind
from edison.loops.monitors.states import CheckState

# Points of a trend; more cannot be told apart in a chart.
MOST_POINTS = 300
_MODEL_FIELDS = tuple(TrendModel.model_fields)
# Validated together, which takes a fraction of the time.
_POINTS = TypeAdapter(list[CheckPoint])


async def get_trend(
    session: AsyncSession, *, project_id: UUID, monitor_id: UUID, days: Days
) -> TrendRead:
    monitor = await Monitors(session).get(project_id, monitor_id)
    since = None if days == "all" else clock.now() - timedelta(days=int(days))
    checks = Checks(session)
    sums = await checks.sum_days(monitor_id, since=since)
    done = [each for each in sums if each.state is CheckState.DONE]
    every = max(1, math.ceil(sum(each.checks for each in done) / MOST_POINTS))
    found = await checks.list_measured(monitor_id, since=since, every=every)
    labels = {model["key"]: model["label"] for each in found for model in each.measures["models"]}
    baseline = mean_of([score for _, score in await checks.list_baseline_scores(monitor)])
    settings = read_config(monitor).rules.drop
    active = await checks.find_active_costs([monitor_id], since=since)
    alerts = await Alerts(session).list_since(monitor_id, since)
    has_threshold = baseline is not None and settings.kind is not DropKind.OFF
    return TrendRead(
        days=days,
        every=every,
        series=[SeriesLabel(key=key, label=label) for key, label in labels.items()],
        points=_POINTS.validate_python([_point(check) for check in found]),
        markers=sorted(_markers(monitor, found, alerts, since=since), key=lambda marker: marker.at),
        baseline_score=baseline,
        threshold=baseline * (1 - settings.threshold) if has_threshold and baseline else None,
        skipped=sum(each.checks for each in sums if each.state is CheckState.SKIPPED),
        failed=sum(each.checks for each in sums if each.state is CheckState.FAILED),
        day_costs=[
            DayCost(day=each.day, checks=each.checks, cost_usd=usd_from_nanos(each.nanos))
            for each in done
        ],
        cost_usd=usd_from_nanos(sum(each.nanos for each in sums) + sum(active.values())),
    )


def _point(check: TrendCheck) -> dict[str, Any]:
    """Fields of a `CheckPoint`."""
    measures = check.measures
    models: list[dict[str, Any]] = measures["models"]
    seconds = [each["p95_seconds"] for each in models if each["p95_seconds"] is not None]
    return {
        "check_id": check.id,
        "number": check.number,
        "at": check.scheduled_for,
        "score": check.score,
        "low": measures["low"],
        "high": measures["high"],
        "cases": measures["cases"],
        "baseline": measures.get("baseline_score"),
        "verdict": check.verdict,
        "version_label": check.version_label,
        "cost_usd": usd_from_nanos(check.cost_nanos),
        "failed": sum(each["failed"] for each in models),
        "p95_seconds": max(seconds, default=None),
        "models": [{name: each[name] for name in _MODEL_FIELDS} for each in models],
    }


def _markers(
    monitor: Monitor,
    checks: Sequence[TrendCheck],
    alerts: Sequence[Alert],
    *,
    since: datetime | None,
) -> Iterator[TrendMarker]:
    yield from _changes(checks)
    for change in monitor.baselines:
        at = datetime.fromisoformat(change["at"])
        if since is None or at >= since:
            text = change["note"] or "New baseline"
            yield TrendMarker(at=at, kind="baseline", text=text, entity_id=None)
    for alert in alerts:
        yield TrendMarker(at=alert.opened_at, kind="alert", text=alert.title, entity_id=alert.id)
        if alert.resolved_at is not None:
            yield TrendMarker(
                at=alert.resolved_at, kind="resolved", text=alert.title, entity_id=alert.id
            )


def _changes(checks: Sequence[TrendCheck]) -> Iterator[TrendMarker]:
    """Where a check has another prompt version or other cases than the one before."""
    for before, after in pairwise(checks):
        if before.version_id != after.version_id:
            text = f"{before.version_label or 'Deleted'} → {after.version_label or 'Deleted'}"
            yield TrendMarker(
                at=after.scheduled_for, kind="version", text=text, entity_id=after.version_id
            )
        if None not in (before.cases_digest, after.cases_digest) and (
            before.cases_digest != after.cases_digest
        ):
            cases = f"{before.measures['cases']} → {after.measures['cases']}"
            text = f"The cases changed: {cases}"
            yield TrendMarker(at=after.scheduled_for, kind="dataset", text=text, entity_id=after.id)
