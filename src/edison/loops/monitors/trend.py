"""The trend of a monitor: scores over time, with the baseline and markers."""

import math
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import clock
from edison.kit.money import usd_from_nanos
from edison.loops.monitors.checks.baseline import mean_of
from edison.loops.monitors.configure import read_config
from edison.loops.monitors.models import Alert, Monitor, MonitorCheck
from edison.loops.monitors.repository.alerts import Alerts
from edison.loops.monitors.repository.checks import Checks
from edison.loops.monitors.repository.monitors import Monitors
from edison.loops.monitors.schemas.checks import (
    CheckMeasures,
    CheckPoint,
    DayCost,
    Days,
    SeriesLabel,
    TrendMarker,
    TrendModel,
    TrendRead,
)
from edison.loops.monitors.schemas.rules import DropKind
from edison.loops.monitors.states import CheckState, CheckVerdict

# Points of a trend; more cannot be told apart in a chart.
MOST_POINTS = 400


async def get_trend(
    session: AsyncSession, *, project_id: UUID, monitor_id: UUID, days: Days
) -> TrendRead:
    monitor = await Monitors(session).get(project_id, monitor_id)
    since = None if days == "all" else clock.now() - timedelta(days=int(days))
    checks = Checks(session)
    counts = await checks.count_ended(monitor_id, since=since)
    every = max(1, math.ceil(counts.get(CheckState.DONE, 0) / MOST_POINTS))
    found = await checks.list_done(monitor_id, since=since, every=every)
    measured = [(each, _measures_of(each)) for each in found]
    points = [_point(check, measures) for check, measures in measured if measures is not None]
    labels = {
        model.key: model.label
        for _, measures in measured
        if measures is not None
        for model in measures.models
    }
    baseline = mean_of([score for _, score in await checks.list_baseline_scores(monitor)])
    settings = read_config(monitor).rules.drop
    costs = await checks.sum_costs([monitor_id], since=since)
    alerts = await Alerts(session).list_since(monitor_id, since)
    has_threshold = baseline is not None and settings.kind is not DropKind.OFF
    return TrendRead(
        days=days,
        every=every,
        series=[SeriesLabel(key=key, label=label) for key, label in labels.items()],
        points=points,
        markers=sorted(_markers(monitor, found, alerts, since=since), key=lambda marker: marker.at),
        baseline_score=baseline,
        threshold=baseline * (1 - settings.threshold) if has_threshold and baseline else None,
        skipped=counts.get(CheckState.SKIPPED, 0),
        failed=counts.get(CheckState.FAILED, 0),
        day_costs=[
            DayCost(day=day, checks=count, cost_usd=usd_from_nanos(nanos))
            for day, count, nanos in await checks.sum_costs_by_day(monitor_id, since=since)
        ],
        cost_usd=usd_from_nanos(costs.get(monitor_id, 0)),
    )


def _measures_of(check: MonitorCheck) -> CheckMeasures | None:
    return None if check.measures is None else CheckMeasures.model_validate(check.measures)


def _point(check: MonitorCheck, measures: CheckMeasures) -> CheckPoint:
    seconds = [each.p95_seconds for each in measures.models if each.p95_seconds is not None]
    return CheckPoint(
        check_id=check.id,
        number=check.number,
        at=check.scheduled_for,
        score=check.score,
        low=measures.low,
        high=measures.high,
        cases=measures.cases,
        baseline=measures.baseline_score,
        verdict=None if check.verdict is None else CheckVerdict(check.verdict),
        version_label=check.version_label,
        cost_usd=usd_from_nanos(check.cost_nanos),
        failed=sum(each.failed for each in measures.models),
        p95_seconds=max(seconds, default=None),
        models=[
            TrendModel(
                key=each.key,
                score=each.score,
                p95_seconds=each.p95_seconds,
                answer_usd=each.answer_usd,
            )
            for each in measures.models
        ],
    )


def _markers(
    monitor: Monitor,
    checks: Sequence[MonitorCheck],
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


def _changes(checks: Sequence[MonitorCheck]) -> Iterator[TrendMarker]:
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
            text = f"The cases changed: {_cases(before)} → {_cases(after)}"
            yield TrendMarker(at=after.scheduled_for, kind="dataset", text=text, entity_id=after.id)


def _cases(check: MonitorCheck) -> int:
    measures = _measures_of(check)
    return 0 if measures is None else measures.cases
