"""Schemas of the test bench."""

from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import Field, model_validator

from edison.api.json_values import AnyJson
from edison.api.schema import CleanText, Schema, Usd
from edison.library.scorers.schemas.scorers import InlineScorer

LONGEST_TEXT = 400_000


class Sample(Schema):
    """An answer to score: an output of a run by `output_id`, or a `text`. For a text, expected
    answer and inputs are given, or are those of a case.
    """

    output_id: UUID | None = None
    text: Annotated[
        CleanText | None, Field(max_length=LONGEST_TEXT, examples=["Your parcel is on its way."])
    ] = None
    expected: Annotated[CleanText | None, Field(max_length=LONGEST_TEXT)] = None
    inputs: dict[CleanText, AnyJson] = Field(default_factory=dict)
    dataset_id: UUID | None = None
    case_id: UUID | None = None

    @model_validator(mode="after")
    def _has_one_source(self) -> Self:
        if (self.output_id is None) == (self.text is None):
            raise ValueError("Give the text of an answer, or the id of an output.")
        if (self.case_id is None) != (self.dataset_id is None):
            raise ValueError("A case is named together with its dataset.")
        is_known = self.output_id is not None or self.case_id is not None
        if is_known and (self.expected is not None or self.inputs):
            raise ValueError("The expected answer and the inputs are those of the case.")
        if self.output_id is not None and self.case_id is not None:
            raise ValueError("An output has a case already.")
        return self


class TryScorerRequest(Schema):
    """Either a `scorer` as it is being edited, or a version of a saved one. Unless
    `is_cache_bypassed`, repeated calls are answered from the cache at no cost.
    """

    scorer: InlineScorer | None = None
    scorer_version_id: UUID | None = None
    sample: Sample
    is_cache_bypassed: bool = False

    @model_validator(mode="after")
    def _has_one_scorer(self) -> Self:
        if (self.scorer is None) == (self.scorer_version_id is None):
            raise ValueError("Give a scorer, or the id of a version of a saved one.")
        return self


class CriterionScoreRead(Schema):
    """`raw` is on the criterion's own scale, `value` from 0 to 1."""

    value: float
    raw: float
    rationale: str | None


class QuestionRead(Schema):
    """A model call of the scorer; `answer` is null when it failed."""

    model_id: UUID
    model: str
    system: str | None
    text: str
    answer: str | None
    failure: str | None
    is_cached: bool
    is_simulated: bool
    cost_usd: Usd | None


class TriedScorerRead(Schema):
    """`value` is null when there is no score; `flag` is the reason. `cost_usd` is null when a price
    is unknown.
    """

    value: float | None
    is_passed: bool | None
    flag: str | None
    rationale: str | None
    raw: str | None
    criteria: dict[str, CriterionScoreRead]
    cost_usd: Usd | None
    seconds: float
    questions: list[QuestionRead]
    subject: Annotated[
        dict[str, Any], Field(description="What was scored: `text`, `expected` and `inputs`")
    ]
