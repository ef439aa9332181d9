"""Validates the criteria of a rubric, reporting all problems with their fields, and normalises the
weights to sum to 1.
"""

import math
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from edison.kit.errors import FieldProblem, Invalid
from edison.kit.lazy_dataclasses import dataclass
from edison.library.scorers.schemas.rubrics import CriterionBody
from edison.pipeline.score.rubric import MOST_CRITERIA, Criterion, Normalised, normalised

HEAVIEST = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A value that was accepted with a warning or corrected."""

    code: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedCriteria:
    criteria: tuple[Criterion, ...]
    notices: tuple[Notice, ...]

    def as_json(self) -> list[dict[str, Any]]:
        return [criterion.model_dump(mode="json") for criterion in self.criteria]


def check_criteria(bodies: Sequence[CriterionBody]) -> CheckedCriteria:
    """Raises Invalid."""
    problems: list[FieldProblem] = []
    read = [_read(index, body, problems) for index, body in enumerate(bodies)]
    if not 1 <= len(bodies) <= MOST_CRITERIA:
        told = f"A rubric has 1 to {MOST_CRITERIA} criteria; this one has {len(bodies)}."
        problems.append(_problem("criteria", told, "criteria_count"))
    problems += _repeated(bodies)
    weights = [body.weight for body in bodies]
    if bodies and not any(weight > 0 for weight in weights):
        told = "At least one criterion needs a weight above 0."
        problems.append(_problem("criteria", told, "all_weights_zero"))
    if problems:
        raise Invalid(*problems)
    weighed = [
        one.model_copy(update={"weight": weight})
        for one, weight in zip((one for one in read if one), weights, strict=True)
    ]
    scaled = normalised(weighed)
    return CheckedCriteria(criteria=scaled.criteria, notices=tuple(_notices(scaled, weights)))


def _read(index: int, body: CriterionBody, problems: list[FieldProblem]) -> Criterion | None:
    at = f"criteria.{index}"
    if not 0 <= body.weight <= HEAVIEST:
        told = f"A weight is a number from 0 to {HEAVIEST}."
        problems.append(_problem(f"{at}.weight", told, "weight_range"))
    try:
        return Criterion.model_validate(body.model_dump() | {"weight": 0})
    except ValidationError as wrong:
        problems += [
            _problem(
                f"{at}.{'.'.join(map(str, found['loc']))}",
                _sentence(str(found["loc"][0]), body, found["msg"]),
                found["type"],
            )
            for found in wrong.errors(include_input=False, include_url=False)
        ]
        return None


def _sentence(field: str, body: CriterionBody, message: str) -> str:
    match field:
        case "name" if not body.name.strip():
            return "Give the criterion a name."
        case "name" if len(body.name) > 50:
            return f"A name has at most 50 characters; this one has {len(body.name)}."
        case "description":
            return f"A description has 10 to 500 characters; this one has {len(body.description)}."
        case "scale":
            return "Choose one of the scales 0-1, 0-3, 0-5, 0-10 and 0-100."
        case _:
            return message.removeprefix("Value error, ")


def _repeated(bodies: Sequence[CriterionBody]) -> list[FieldProblem]:
    """Names are keys of a judge's verdict, so they must be unique, ignoring letter case."""
    first: dict[str, int] = {}
    problems = []
    for index, body in enumerate(bodies):
        plain = " ".join(body.name.split()).casefold()
        if not plain:
            continue
        if plain in first:
            told = f"Criterion {first[plain] + 1} has the same name."
            problems.append(_problem(f"criteria.{index}.name", told, "duplicate_name"))
        first.setdefault(plain, index)
    return problems


def _notices(scaled: Normalised, weights: Sequence[float]) -> list[Notice]:
    notices = []
    if scaled.is_changed:
        told = (
            f"The weights summed to {math.fsum(weights):.4g}. "
            "They were divided by that, so that they sum to 1."
        )
        notices.append(Notice(code="weights_normalised", message=told))
    for criterion in scaled.criteria:
        if criterion.weight == 0:
            told = f"{criterion.name} has weight 0: it is scored, but does not count."
            notices.append(Notice(code="weight_zero", message=told))
    return notices


def _problem(field: str, message: str, code: str) -> FieldProblem:
    return FieldProblem(field=field, message=message, code=code)
