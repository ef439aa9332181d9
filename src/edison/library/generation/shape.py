"""Converts the rows of a model's answer to drafts, or to a reason for refusal.

Takes only what was requested: the variables, an expected answer, tags and a difficulty. Other
fields of a row are dropped.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from edison.kit.lazy_dataclasses import dataclass
from edison.library.datasets import service as datasets
from edison.library.datasets.schemas.datasets import CaseRequest
from edison.library.generation.plan import GenerationKind, GenerationPlan
from edison.pipeline.render.length_bucket import length_of

LONGEST_DRAFT = 50_000
MOST_MODEL_TAGS = 5

_PARTING = re.compile(r"[,;|\s]+")
_DIFFICULTIES = {
    **{str(level): level for level in range(1, 6)},
    **{"easy": 2, "simple": 2, "medium": 3, "moderate": 3, "hard": 4, "complex": 4},
}


class Refusal(StrEnum):
    """Why a row cannot become a case."""

    MISSING_VARIABLE = "missing_variable"
    EMPTY = "empty"
    TOO_LONG = "too_long"
    UNSUITABLE = "unsuitable"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapedDraft:
    case: CaseRequest
    input_hash: str
    words: frozenset[str]


def shape(row: Mapping[str, Any], plan: GenerationPlan) -> ShapedDraft | Refusal:
    inputs = _inputs(row, plan)
    if inputs is None:
        return Refusal.MISSING_VARIABLE
    if plan.kind is not GenerationKind.ADVERSARIAL and not any(
        map(_says_something, inputs.values())
    ):
        return Refusal.EMPTY
    expected = _expected(row) if plan.with_expected else None
    if length_of(inputs) + len(expected or "") > LONGEST_DRAFT:
        return Refusal.TOO_LONG
    case = CaseRequest.model_construct(
        inputs=inputs,
        expected=expected,
        tags=_tags(row, plan),
        difficulty=_difficulty(row.get("difficulty")) or _difficulty(plan.level.value),
        split=None,
        origin=None,
        notes=None,
    )
    if datasets.find_problems(case):
        return Refusal.UNSUITABLE
    return ShapedDraft(
        case=case,
        input_hash=datasets.hash_inputs(inputs),
        words=datasets.words_of_inputs(inputs),
    )


def _inputs(row: Mapping[str, Any], plan: GenerationPlan) -> dict[str, Any] | None:
    """The values of exactly the plan's variables, from `input` or from the row itself."""
    if plan.kind is GenerationKind.QUESTIONS:
        question = row.get("question")
        return {plan.variables[0]: question.strip()} if isinstance(question, str) else None
    places = (row.get("input"), row.get("inputs"), row)
    for place in places:
        if isinstance(place, dict) and all(place.get(name) is not None for name in plan.variables):
            return {name: place[name] for name in plan.variables}
    return None


def _says_something(value: Any) -> bool:
    return bool(value.strip()) if isinstance(value, str) else value not in ([], {})


def _expected(row: Mapping[str, Any]) -> str | None:
    expected = row.get("expected")
    return expected.strip() or None if isinstance(expected, str) else None


def _tags(row: Mapping[str, Any], plan: GenerationPlan) -> list[str]:
    """The request's tags and type of question, then the model's valid tags."""
    given = row.get("tags")
    words = [each for each in given if isinstance(each, str)] if isinstance(given, list) else []
    cleaned = (_PARTING.sub(" ", word).strip()[: datasets.LONGEST_TAG].strip() for word in words)
    fitting = [tag for tag in cleaned if tag and datasets.is_tag(tag)]
    tags = dict.fromkeys([*plan.tags, *_types(row, plan), *fitting[:MOST_MODEL_TAGS]])
    return list(tags)[: datasets.MOST_TAGS]


def _types(row: Mapping[str, Any], plan: GenerationPlan) -> list[str]:
    """The requested type that the model names, or the only one."""
    told = str(row.get("type") or "").strip().casefold()
    named = [each for each in plan.types if each.casefold() == told]
    asked = named or (list(plan.types) if len(plan.types) == 1 else [])
    return [each for each in asked if datasets.is_tag(each)]


def _difficulty(value: Any) -> int | None:
    """A number from 1 to 5, in any notation."""
    known = _DIFFICULTIES.get(value.strip().lower()) if isinstance(value, str) else value
    if isinstance(known, bool) or not isinstance(known, int | float):
        return None
    return int(known) if known in range(1, 6) else None
