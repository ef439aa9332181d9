"""Rubrics: criteria, each with a weight and a scale."""

import json
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from json.encoder import encode_basestring
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.generate.fields import ADVANCED
from edison.pipeline.score.scorer import Subject

MOST_CRITERIA = 10
# Weights within this distance of a sum of 1 are not rescaled.
TOLERANCE = 0.01
_DECIMALS = 4


class Scale(StrEnum):
    """Every scale starts at 0."""

    # Stored with rubrics; never rename. Forms show the text above.
    TO_1 = "0-1"
    TO_3 = "0-3"
    TO_5 = "0-5"
    TO_10 = "0-10"
    TO_100 = "0-100"

    @property
    def maximum(self) -> int:
        return int(self.value.partition("-")[2])


def _plain_name(name: str) -> str:
    """Names are JSON keys of a judge's verdict, so they must not need quoting."""
    plain = " ".join(name.split())
    if not plain or not all(character.isalnum() or character == " " for character in plain):
        raise ValueError("A name is made of letters, digits and spaces.")
    return plain


class Criterion(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    name: Annotated[str, Field(min_length=1, max_length=50), AfterValidator(_plain_name)] = Field(
        title="Name"
    )
    description: str = Field(
        min_length=10, max_length=500, title="Description", json_schema_extra={"format": "text"}
    )
    weight: float = Field(default=1.0, ge=0, le=1, title="Weight")
    scale: Scale = Field(default=Scale.TO_5, title="Scale")


def _fit_together(criteria: tuple[Criterion, ...]) -> tuple[Criterion, ...]:
    if not 1 <= len(criteria) <= MOST_CRITERIA:
        raise ValueError(f"A rubric has 1 to {MOST_CRITERIA} criteria.")
    names = [criterion.name.casefold() for criterion in criteria]
    if len(set(names)) < len(names):
        raise ValueError("Two criteria have the same name.")
    if not any(criterion.weight for criterion in criteria):
        raise ValueError("At least one criterion needs a weight above 0.")
    return criteria


# Weights need not sum to 1: a composite divides by their sum. Pydantic's own length limits would
# report a rubric as empty when one of its criteria is not valid.
Criteria = Annotated[
    tuple[Criterion, ...],
    AfterValidator(_fit_together),
    Field(json_schema_extra={"minItems": 1, "maxItems": MOST_CRITERIA}),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Normalised:
    """A rubric whose weights sum to 1; `is_changed` when they were rescaled."""

    criteria: tuple[Criterion, ...]
    is_changed: bool


def normalised(criteria: Sequence[Criterion]) -> Normalised:
    """Returns the rubric with its weights scaled to a sum of 1, in steps of 0.0001; the rounding
    remainder goes to the largest weight. Requires at least one weight above 0.
    """
    total = sum(one.weight for one in criteria)
    if abs(total - 1) < TOLERANCE:
        return Normalised(criteria=tuple(criteria), is_changed=False)
    weights = [round(one.weight / total, _DECIMALS) for one in criteria]
    heaviest = weights.index(max(weights))
    weights[heaviest] = round(weights[heaviest] + 1 - sum(weights), _DECIMALS)
    scaled = (
        one.model_copy(update={"weight": weight})
        for one, weight in zip(criteria, weights, strict=True)
    )
    return Normalised(criteria=tuple(scaled), is_changed=True)


def composite(criteria: Sequence[Criterion], values: Mapping[str, float]) -> float:
    """Weighted mean of the criteria's values, in 0..1."""
    total = sum(one.weight for one in criteria)
    return min(1.0, sum(one.weight * values[one.name] for one in criteria) / total)


class RubricOptions(BaseModel):
    """Options shared by everything that judges by a rubric."""

    goal: str = Field(
        default="",
        max_length=2000,
        title="Goal",
        description="What the answers are for, in a sentence or two.",
    )
    criteria: Criteria = Field(title="Criteria")
    shows_expected: bool = Field(default=True, title="Show the judge the expected answer")
    max_tokens: int = Field(
        default=4000,
        ge=100,
        le=100_000,
        title="Max tokens of the verdict",
        json_schema_extra=ADVANCED,
    )

    def shown(self, subject: Subject, *, rubric: str) -> dict[str, str]:
        """The parts a judge sees besides the answers; empty parts are left out."""
        parts = {
            "goal": self.goal.strip(),
            "rubric": rubric,
            "input": inputs_text(subject.inputs),
            "expected": (subject.expected or "") if self.shows_expected else "",
        }
        return {name: part for name, part in parts.items() if part}


def rubric_text(criteria: Sequence[Criterion]) -> str:
    """Without weights, for judges that score the criteria one by one."""
    return _json_rows(
        {"name": one.name, "description": one.description, "scale": one.scale.value}
        for one in criteria
    )


def weighed_text(criteria: Sequence[Criterion]) -> str:
    """With weights and without scales, for judges that decide by all criteria together."""
    return _json_rows(
        {"name": one.name, "description": one.description, "weight": one.weight}
        for one in normalised(criteria).criteria
    )


def _json_rows(rows: Iterable[Mapping[str, object]]) -> str:
    return json.dumps(list(rows), ensure_ascii=False, indent=1)


def inputs_text(inputs: Mapping[str, object]) -> str:
    if not inputs:
        return ""
    if all(isinstance(value, str) for value in inputs.values()):
        # The same text, in a fifth of the time.
        written = [map(encode_basestring, (name, str(inputs[name]))) for name in sorted(inputs)]
        return "{\n" + ",\n".join(f" {name}: {text}" for name, text in written) + "\n}"
    return json.dumps(inputs, ensure_ascii=False, indent=1, sort_keys=True)
