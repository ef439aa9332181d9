"""Measures a check: scores by case, figures by model, and the drop against the baseline."""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from uuid import UUID

from edison.db.session import Database
from edison.kit.lazy_dataclasses import dataclass
from edison.loops.monitors.checks.baseline import Baseline, mean_of
from edison.loops.monitors.schemas.checks import (
    CellDelta,
    CheckMeasures,
    DropMeasure,
    ModelMeasures,
    NotComparableMeasure,
)
from edison.loops.monitors.schemas.rules import DropSettings
from edison.pipeline.aggregate.drops import (
    Drop,
    DropRule,
    NotComparable,
    is_suspicious,
    measure_drop,
)
from edison.pipeline.aggregate.table import Floats
from edison.runs.read.schemas import RunVariantRead
from edison.runs.results import service as results

# Cells shown with an alert.
WORST_CELLS = 10
# Smaller differences are rounding errors.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredCheck:
    """The results of a run, by model configuration. `places` are the positions of the cases."""

    measures: CheckMeasures
    scores: Mapping[str, Mapping[str, float]]
    places: Mapping[str, int]

    @property
    def cases_digest(self) -> str:
        return hashlib.sha256("\n".join(sorted(self.places)).encode()).hexdigest()


async def measure_run(database: Database, *, project_id: UUID, run_id: UUID) -> MeasuredCheck:
    """Reads the results of a finished run. Slow for large runs, so it needs no open transaction."""
    run = await results.get_run(database, project_id, run_id)
    digest = await results.digest_run(database, project_id=project_id, run_id=run_id)
    models, scores = [], {}
    for at, key in enumerate(name_configurations(run.variants)):
        composite, usage = digest.summary.variants[at].composite, digest.usage[at]
        seconds, nanos = usage.latency_percentiles(), usage.nanos_per_answer
        models.append(
            ModelMeasures(
                key=key,
                label=run.variants[at].model_name,
                model_id=run.variants[at].model_id,
                score=composite.value,
                low=None if composite.interval is None else composite.interval.low,
                high=None if composite.interval is None else composite.interval.high,
                cases=composite.cases,
                answers=usage.answers,
                failed=usage.failed,
                p50_seconds=None if seconds is None else seconds[0],
                p95_seconds=None if seconds is None else seconds[1],
                answer_usd=None if nanos is None else Decimal(round(nanos)).scaleb(-9),
                worst=[],
            )
        )
        scores[key] = _scores_of(digest.case_keys, digest.composites[:, at])
    known = [model for model in models if model.score is not None]
    return MeasuredCheck(
        measures=CheckMeasures(
            score=mean_of([model.score for model in known]),
            low=mean_of([model.low for model in known]),
            high=mean_of([model.high for model in known]),
            cases=len(digest.case_keys),
            models=models,
            baseline_checks=[],
        ),
        scores=scores,
        places={key: at for at, key in enumerate(digest.case_keys)},
    )


def name_configurations(variants: Sequence[RunVariantRead]) -> list[str]:
    """Keys that are equal for the same model and parameters in different runs."""
    keys = []
    for variant in variants:
        parameters = json.dumps(variant.parameters, sort_keys=True, default=str)
        digest = hashlib.sha256(parameters.encode()).hexdigest()[:12]
        keys.append(f"{variant.model_id or variant.model_name}:{digest}")
    return keys


def _scores_of(case_keys: Sequence[str], composites: Floats) -> dict[str, float]:
    """Cases without a score are left out."""
    found = zip(case_keys, composites.tolist(), strict=True)
    return {key: score for key, score in found if not math.isnan(score)}


def rule_of(settings: DropSettings, *, models: int) -> DropRule:
    """Several models are as many tests, so each needs stronger evidence."""
    rule = DropRule(threshold=settings.threshold, recovery=settings.recovery)
    return replace(
        rule,
        suspicious_p=rule.suspicious_p / models,
        confirmed_p=rule.confirmed_p / models,
    )


def compare(
    measured: MeasuredCheck, baseline: Baseline, rule: DropRule, *, repeats: float = 1
) -> MeasuredCheck:
    """Adds the comparison with the baseline to each model that has one. `repeats` is the number of
    answers per case, relative to that of the monitor's checks.
    """
    models = []
    for model in measured.measures.models:
        before = baseline.scores.get(model.key)
        if not before:
            models.append(model)
            continue
        scores = measured.scores[model.key]
        found = measure_drop(
            before,
            {key: [score] for key, score in scores.items()},
            rule,
            noise=baseline.noise.get(model.key),
            repeats=repeats,
        )
        if isinstance(found, NotComparable):
            compared: dict[str, object] = {
                "not_comparable": NotComparableMeasure(shared=found.shared, needed=found.needed)
            }
        else:
            compared = {
                "drop": _drop_measure(found, before, scores, rule),
                "worst": _worst(before, scores, measured.places),
            }
        models.append(model.model_copy(update=compared))
    measures = measured.measures.model_copy(
        update={
            "models": models,
            "baseline_score": baseline.score,
            "baseline_checks": list(baseline.checks),
            "baseline_run_id": baseline.run_id,
        }
    )
    return replace(measured, measures=measures)


def _drop_measure(
    drop: Drop, before: Mapping[str, float], scores: Mapping[str, float], rule: DropRule
) -> DropMeasure:
    changes = [scores[key] - before[key] for key in scores if key in before]
    return DropMeasure(
        shared=drop.shared,
        baseline=drop.baseline,
        current=drop.current,
        relative=drop.relative,
        p_value=drop.p_value,
        smallest_visible=drop.smallest_visible,
        regressed=sum(change < -_ROUNDING for change in changes),
        improved=sum(change > _ROUNDING for change in changes),
        is_suspicious=is_suspicious(drop, rule),
    )


def _worst(
    before: Mapping[str, float], scores: Mapping[str, float], places: Mapping[str, int]
) -> list[CellDelta]:
    """The cases that lost most, in the order of their loss."""
    losses = sorted(
        (scores[key] - before[key], places[key], key)
        for key in scores
        if key in before and scores[key] < before[key] - _ROUNDING
    )
    return [
        CellDelta(position=place, baseline=before[key], score=scores[key])
        for _, place, key in losses[:WORST_CELLS]
    ]


def drop_of(measure: DropMeasure) -> Drop:
    """For the decisions of `pipeline.aggregate.drops`."""
    return Drop(
        shared=measure.shared,
        baseline=measure.baseline,
        current=measure.current,
        relative=measure.relative,
        p_value=measure.p_value,
        smallest_visible=measure.smallest_visible,
    )
