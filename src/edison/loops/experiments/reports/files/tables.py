"""The numbers of a report as CSV. Texts that a spreadsheet would run as formulas are escaped."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal

from edison.kit.csv_text import encode_rows, guard
from edison.loops.experiments.schemas.iterations import HoldoutTestRead, TrainingChange
from edison.loops.experiments.schemas.reports import ExperimentReport
from edison.runs.results.schemas.statistics import ComparisonVerdict, MeanRead

_MEAN = ("score", "low", "high", "cases")
_TRAINING_CHANGE = ("difference", "low", "high", "note")
_CHANGE = ("difference", "verdict", "p_value")
Row = Sequence[object]


def write_iterations(report: ExperimentReport) -> bytes:
    """A line per iteration. Scores are 0 to 1."""
    header = [
        "iteration",
        "state",
        "version",
        *_named("train", _MEAN),
        *_named("holdout", _MEAN),
        *_named("training_change", _TRAINING_CHANGE),
        *_named("holdout_against_first", _CHANGE),
        "holdout_look",
        "holdout_alpha",
        "execution_usd",
        "judging_usd",
        "refining_usd",
        "total_usd",
        "tokens",
        "seconds",
        "message",
    ]
    rows = [
        [
            each.iteration,
            each.state,
            each.version_label,
            *_mean(each.train),
            *_mean(each.holdout),
            *_training_change(each.change),
            *_change(each.against_first),
            *_look(each.holdout_test),
            each.cost.execution_usd,
            each.cost.judging_usd,
            each.cost.refining_usd,
            each.cost.total_usd,
            each.tokens,
            each.seconds,
            each.message,
        ]
        for each in report.trend
    ]
    return _csv(header, rows)


def write_criteria(report: ExperimentReport) -> bytes:
    rows = [[each.name, each.weight, each.first, each.best] for each in report.criteria]
    return _csv(["criterion", "weight", "first", "best"], rows)


def write_models(report: ExperimentReport) -> bytes:
    """The models of the best iteration."""
    header = [
        "model",
        *_named("train", _MEAN),
        *_named("holdout", _MEAN),
        *_named("win_rate", _MEAN),
        "cost_usd",
        "cost_per_answer_usd",
        "latency_p50_seconds",
        "failed",
        "is_simulated",
    ]
    rows = [
        [
            each.label,
            *_mean(each.train),
            *_mean(each.holdout),
            *_mean(each.win_rate),
            each.cost_usd,
            each.cost_per_answer_usd,
            each.latency_p50_seconds,
            each.failed,
            each.is_simulated,
        ]
        for each in report.variants
    ]
    return _csv(header, rows)


def write_decisions(report: ExperimentReport) -> bytes:
    names = (
        "iteration",
        "number",
        "origin",
        "state",
        "note",
        "reason",
        "decided_at",
        "decided_by",
        "version_id",
    )
    rows = [
        [*(getattr(each, name) for name in names), " ".join(each.parts)]
        for each in report.decisions
    ]
    return _csv([*names, "parts"], rows)


def _named(prefix: str, names: Sequence[str]) -> list[str]:
    return [f"{prefix}_{name}" for name in names]


def _mean(found: MeanRead | None) -> list[object]:
    if found is None:
        return [None] * len(_MEAN)
    interval = found.interval
    bounds = [None, None] if interval is None else [interval.low, interval.high]
    return [found.value, *bounds, found.cases]


def _training_change(found: TrainingChange | None) -> list[object]:
    if found is None:
        return [None] * len(_TRAINING_CHANGE)
    interval = found.difference.interval
    low, high = (None, None) if interval is None else (interval.low, interval.high)
    return [found.difference.value, low, high, found.note]


def _change(found: ComparisonVerdict | None) -> list[object]:
    if found is None:
        return [None] * len(_CHANGE)
    return [found.difference.value, found.verdict, found.adjusted_p_value]


def _look(found: HoldoutTestRead | None) -> list[object]:
    return [None, None] if found is None else [found.look, found.alpha]


def _csv(header: Sequence[str], rows: Iterable[Row]) -> bytes:
    return encode_rows([header, *([_cell(value) for value in row] for row in rows)])


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return guard(value)
    if isinstance(value, Decimal):
        return f"{value:f}"
    # Numbers are never formulas, whatever their sign; only texts contain user input.
    return value.isoformat() if isinstance(value, datetime) else str(value)
