"""Request and response bodies of human scores."""

from datetime import datetime
from typing import Annotated, Self
from uuid import UUID

from pydantic import Field, StringConstraints, model_validator

from edison.api.schema import CleanText, Schema
from edison.runs.scoring.scales import ScoringQuestion

LONGEST_COMMENT = 10_000

Comment = Annotated[
    CleanText, StringConstraints(strip_whitespace=True), Field(max_length=LONGEST_COMMENT)
]
Answer = Annotated[
    int, Field(description="`thumbs` and `pass_fail`: 0 or 1; `rating`: 1 to 5", examples=[4])
]


class HumanScoreRequest(Schema):
    """Your score of an output; replaces an earlier one. A comment alone is allowed. With `about`,
    the output's `number`, the request is refused if the answer has been replaced.
    """

    question: Annotated[ScoringQuestion, Field(examples=["rating"])]
    answer: Answer | None = None
    comment: Annotated[Comment | None, Field(examples=["Polite, but it misses the refund."])] = None
    about: int | None = None

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.answer is None and not self.comment:
            raise ValueError("Give an answer, a comment, or both.")
        return self


class ScoringPerson(Schema):
    id: UUID
    name: str


class HumanScoreRead(Schema):
    """A human score. `value` is the answer in 0..1. `person` is null if the account was deleted."""

    id: UUID
    person: ScoringPerson | None
    is_mine: bool
    question: ScoringQuestion
    answer: int | None
    criteria: dict[str, int] | None
    value: float | None
    comment: str | None
    created_at: datetime
    updated_at: datetime


class FlagRead(Schema):
    """A flag for attention. `person` is null if the account was deleted."""

    person: ScoringPerson | None
    is_mine: bool
    created_at: datetime


class OutputScores(Schema):
    """Human scores of an output. `value` is their mean, which overrides automatic scores."""

    value: float | None
    flag: FlagRead | None
    items: list[HumanScoreRead]
