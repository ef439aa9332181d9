"""The finished cells of a run, one record each, with all that a reader of a file may ask about."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from edison.kit.money import usd_from_nanos
from edison.runs.engine.models import Output, RunCase, RunScorer, RunVariant, Score
from edison.runs.engine.summaries import Grade

OF_CASE = ("position", "case_id", "split", "difficulty", "tags", "expected", "inputs")
OF_VARIANT = ("label", "prompt_name", "version_label", "model_name", "provider", "parameters")
OF_OUTPUT = (
    "status",
    "error",
    "message",
    "text",
    "parsed",
    "finish_reason",
    "is_cached",
    "is_fallback",
    "attempts",
    "input_tokens",
    "output_tokens",
    "latency_seconds",
    "human_value",
)
OF_SCORE = ("value", "is_passed", "flag", "rationale")


def list_records(
    cases: Sequence[RunCase],
    outputs: Iterable[Output],
    *,
    variants: Sequence[RunVariant],
    scorers: Sequence[RunScorer],
    scores: Mapping[UUID, Sequence[Score]],
    grades: Mapping[UUID, Grade],
) -> Iterator[dict[str, Any]]:
    by_position = {case.position: case for case in cases}
    for output in outputs:
        case, variant = by_position[output.case_position], variants[output.variant_position]
        grade = grades.get(output.id)
        yield {
            "case": {name: _plain(getattr(case, name)) for name in OF_CASE},
            "variant": {name: getattr(variant, name) for name in OF_VARIANT},
            "repeat": output.repeat,
            "output_id": str(output.id),
            **{name: getattr(output, name) for name in OF_OUTPUT},
            "cost_usd": None if output.cost_nanos is None else _usd(output.cost_nanos),
            "grade": None if grade is None else grade.value,
            "graded_by": None if grade is None else grade.by,
            "scores": [
                {
                    "scorer": score.scorer_position,
                    "label": scorers[score.scorer_position].label,
                    **{name: getattr(score, name) for name in OF_SCORE},
                }
                for score in scores.get(output.id, ())
            ],
        }


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, UUID) else value


def _usd(nanos: int) -> str:
    return format(usd_from_nanos(nanos), "f")
