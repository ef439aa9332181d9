"""The baseline of a monitor: scores and figures of its last good checks, and their noise."""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from edison.kit.lazy_dataclasses import dataclass
from edison.loops.monitors.repository.checks import CheckPart
from edison.loops.monitors.schemas.checks import CheckMeasures
from edison.pipeline.aggregate.check_noise import measure_noise
from edison.pipeline.aggregate.drops import CheckNoise, CheckScores, build_baseline


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """`scores` are means by model configuration and case key; `noise`, `seconds` (p95) and `nanos`
    (per answer) by model configuration. Empty before the first good check.
    """

    scores: Mapping[str, Mapping[str, float]]
    noise: Mapping[str, CheckNoise | None]
    seconds: Mapping[str, float]
    nanos: Mapping[str, float]
    score: float | None
    checks: Sequence[int]
    run_id: UUID | None


def read_baseline(parts: Sequence[CheckPart], without_alert: Sequence[CheckPart]) -> Baseline:
    """`without_alert` are the checks that show how much scores vary."""
    keys = list(dict.fromkeys(key for part in parts for key in part.case_scores))
    measures = [CheckMeasures.model_validate(part.measures) for part in parts if part.measures]
    seconds: dict[str, list[float]] = {}
    nanos: dict[str, list[float]] = {}
    for each in measures:
        for model in each.models:
            if model.p95_seconds is not None:
                seconds.setdefault(model.key, []).append(model.p95_seconds)
            if model.answer_usd is not None:
                nanos.setdefault(model.key, []).append(float(model.answer_usd) * 1e9)
    return Baseline(
        scores={key: build_baseline(scores_of(parts, key)) for key in keys},
        noise={
            key: measure_noise(
                scores_of(without_alert, key), baseline_checks=len(scores_of(parts, key))
            )
            for key in keys
        },
        seconds={key: sum(found) / len(found) for key, found in seconds.items()},
        nanos={key: sum(found) / len(found) for key, found in nanos.items()},
        score=mean_of([part.score for part in parts]),
        checks=[part.number for part in parts],
        run_id=next((part.run_id for part in reversed(parts) if part.run_id is not None), None),
    )


def scores_of(parts: Sequence[CheckPart], key: str) -> list[CheckScores]:
    """The scores of one model configuration, in the checks that have it."""
    return [
        {case: [score] for case, score in part.case_scores[key].items()}
        for part in parts
        if key in part.case_scores
    ]


def mean_of(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
