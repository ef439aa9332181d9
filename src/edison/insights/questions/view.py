"""Conversion of judged questions to API schemas."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal
from uuid import UUID

from edison.insights.questions.repository import AskedCase, QuestionRow, VerdictRow
from edison.insights.questions.schemas import (
    WEAK_BELOW,
    CriterionVerdict,
    JudgedQuestion,
    JudgeVerdict,
    QuestionCriterionMean,
)
from edison.kit.lazy_dataclasses import dataclass
from edison.library.models.names import NamedModel
from edison.pipeline.aggregate.table import Floats, TableCase
from edison.pipeline.score.question_criteria import DIFFICULTY
from edison.pipeline.score.rubric import Scale
from edison.pipeline.score.scorer import UNREADABLE
from edison.pipeline.score.seats import name_seat
from edison.runs.read.schemas import RunDetail


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionDetails:
    """What the rows of a page need. `scores`, `apart` and `criteria` (by name, with its weight) are
    by position; `models` are those of the project.
    """

    run: RunDetail
    cases: Sequence[TableCase]
    scores: Floats
    apart: Floats
    criteria: Mapping[str, tuple[float, Floats]]
    questions: Mapping[int, QuestionRow]
    verdicts: Sequence[VerdictRow]
    models: Mapping[UUID, NamedModel]


def read_questions(
    details: QuestionDetails, chosen: Sequence[tuple[int, AskedCase, str]]
) -> list[JudgedQuestion]:
    """`chosen` are positions with their cases and the keys of their generators."""
    by_output: dict[UUID | None, list[VerdictRow]] = {}
    for verdict in details.verdicts:
        by_output.setdefault(verdict.output_id, []).append(verdict)
    return [_question(details, at, case, key, by_output) for at, case, key in chosen]


def _question(
    details: QuestionDetails,
    at: int,
    case: AskedCase,
    generator: str,
    by_output: Mapping[UUID | None, Sequence[VerdictRow]],
) -> JudgedQuestion:
    row, known = details.questions[at], details.cases[at]
    score = _or_none(details.scores[at])
    criteria = [
        QuestionCriterionMean(name=name, weight=weight, value=_or_none(values[at]))
        for name, (weight, values) in details.criteria.items()
    ]
    hard = next((each.value for each in criteria if each.name == DIFFICULTY), None)
    return JudgedQuestion(
        position=at,
        output_id=row.output_id,
        case_id=case.case_id,
        case_version=case.version,
        case_state=_state(case),
        question=row.text or "",
        inputs=row.inputs,
        expected=row.expected,
        tags=list(known.tags),
        difficulty=known.difficulty,
        judged_difficulty=None if hard is None else 1 + 4 * hard,
        generator=generator,
        score=score,
        human_score=row.human_value,
        disagreement=_or_none(details.apart[at]),
        is_weak=score is not None and score < WEAK_BELOW,
        criteria=criteria,
        judges=[
            judge for each in by_output.get(row.output_id, ()) for judge in _judges(details, each)
        ],
    )


def _state(case: AskedCase) -> Literal["current", "changed", "deleted"]:
    if case.version is None:
        return "deleted"
    return "current" if case.version == case.judged_version else "changed"


def _judges(details: QuestionDetails, verdict: VerdictRow) -> list[JudgeVerdict]:
    """The judges of a score. Scorers without a judge have none."""
    options = details.run.scorers[verdict.scorer].options
    scales = {each["name"]: Scale(each["scale"]).maximum for each in options.get("criteria") or ()}
    if verdict.judges is not None:
        return [
            JudgeVerdict(
                name=_name(details, each["model_id"], label),
                value=None if each["flag"] else each["value"],
                problem=each["problem"],
                criteria=[] if each["flag"] else _marks(each["criteria"], scales),
            )
            for label, each in verdict.judges.items()
        ]
    if options.get("model_id") is None:
        return []
    has_none = verdict.flag in UNREADABLE
    return [
        JudgeVerdict(
            name=_name(details, options["model_id"]),
            value=None if has_none else verdict.value,
            problem=verdict.rationale if has_none else None,
            criteria=[] if has_none else _marks(verdict.criteria or {}, scales),
        )
    ]


def _name(details: QuestionDetails, model_id: str, label: str = "") -> str:
    model = details.models.get(UUID(str(model_id)))
    return name_seat(label, model and model.name)


def _marks(criteria: Mapping[str, Any], scales: Mapping[str, int]) -> list[CriterionVerdict]:
    return [
        CriterionVerdict(
            name=name, raw=each["raw"], maximum=scales.get(name, 1), rationale=each["rationale"]
        )
        for name, each in criteria.items()
    ]


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
