"""Compares the models of a monitor over its last checks: the most accurate, the fastest, the best
value.
"""

import asyncio
from collections.abc import Mapping, Sequence
from decimal import Decimal
from statistics import fmean
from uuid import UUID

from edison.db.session import Database
from edison.jobs import cron
from edison.loops.monitors.repository.checks import CheckPart, Checks
from edison.loops.monitors.repository.monitors import Monitors
from edison.loops.monitors.schemas.advice import (
    MonitoredModel,
    MonitoredModels,
    MonitoredModelsAdvice,
)
from edison.loops.monitors.schemas.checks import CheckMeasures, ModelMeasures
from edison.pipeline.aggregate.advice import (
    AdviceReason,
    ModelInsight,
    ModelRecord,
    compare_models,
)
from edison.runs.insight.service import read_choice

_MONTHS = 12
_NANO = Decimal("0.000000001")


async def compare_monitored_models(
    database: Database, *, project_id: UUID, monitor_id: UUID
) -> MonitoredModels:
    """From the checks since the baseline was last accepted, at most 30. Only models of the latest
    of them are compared.
    """
    async with database.read() as session:
        monitor = await Monitors(session).get(project_id, monitor_id)
        parts = await Checks(session).list_recent(monitor)
    if not parts:
        return MonitoredModels(checks=0, models=[], advice=None)
    a_month = cron.times_a_year(monitor.cron) / _MONTHS
    return await asyncio.to_thread(compare_checks, parts, a_month)


def compare_checks(parts: Sequence[CheckPart], checks_a_month: float) -> MonitoredModels:
    measured = [(part, CheckMeasures.model_validate(part.measures or {})) for part in parts]
    latest = measured[-1][1].models
    history = {
        model.key: {
            part.number: each
            for part, measures in measured
            for each in measures.models
            if each.key == model.key
        }
        for model in latest
    }
    models = [_figures(model, history[model.key], checks_a_month) for model in latest]
    insight = compare_models([_record(figures, history[figures.key], parts) for figures in models])
    return MonitoredModels(checks=len(parts), models=models, advice=_advice(insight, models))


def _figures(
    model: ModelMeasures, checks: Mapping[int, ModelMeasures], checks_a_month: float
) -> MonitoredModel:
    found = checks.values()
    costs = [each.answer_usd for each in found if each.answer_usd is not None]
    answer = sum(costs, Decimal(0)) / len(costs) if costs else None
    a_month = Decimal(str(model.answers * checks_a_month))
    return MonitoredModel(
        key=model.key,
        label=model.label,
        model_id=model.model_id,
        score=_mean([each.score for each in found]),
        p50_seconds=_mean([each.p50_seconds for each in found]),
        p95_seconds=_mean([each.p95_seconds for each in found]),
        answer_usd=None if answer is None else answer.quantize(_NANO),
        month_usd=None if answer is None else (answer * a_month).quantize(_NANO),
    )


def _record(
    figures: MonitoredModel, checks: Mapping[int, ModelMeasures], parts: Sequence[CheckPart]
) -> ModelRecord:
    """Scores by case, averaged over checks. Latency is compared by check: that of single answers
    is not stored.
    """
    scores: dict[str, list[float]] = {}
    for part in parts:
        for case, score in part.case_scores.get(figures.key, {}).items():
            scores.setdefault(case, []).append(score)
    return ModelRecord(
        key=figures.key,
        scores={case: fmean(values) for case, values in scores.items()},
        cost=None if figures.answer_usd is None else float(figures.answer_usd),
        seconds={
            str(number): each.p50_seconds
            for number, each in checks.items()
            if each.p50_seconds is not None
        },
    )


def _advice(insight: ModelInsight, models: Sequence[MonitoredModel]) -> MonitoredModelsAdvice:
    monthly = {each.key: each.month_usd for each in models}
    value = insight.best_value
    saving = None
    if value.reason is AdviceReason.AS_GOOD_AND_CHEAPER and value.key and value.leading:
        dear, cheap = monthly[value.leading], monthly[value.key]
        saving = None if dear is None or cheap is None else dear - cheap
    return MonitoredModelsAdvice(
        most_accurate=read_choice(insight.most_accurate),
        fastest=read_choice(insight.fastest),
        best_value=read_choice(value),
        saving_month_usd=saving,
    )


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None
