"""Scores that people give, as programs send and see them."""

from datetime import datetime
from typing import Annotated, Self
from uuid import UUID

from pydantic import Field, StringConstraints, model_validator

from edison.api.schema import CleanText, Schema
from edison.runs.scoring.scales import Question

LONGEST_COMMENT = 10_000

Comment = Annotated[
    CleanText, StringConstraints(strip_whitespace=True), Field(max_length=LONGEST_COMMENT)
]
Answer = Annotated[
    int, Field(description="`thumbs` and `pass_fail`: 0 or 1; `rating`: 1 to 5", examples=[4])
]


class HumanScoreRequest(Schema):
    """One's own score of an output, in place of what one said before. A comment may stand alone.
    With `about`, the output's `number`, it is refused if the answer has been made again since.
    """

    question: Annotated[Question, Field(examples=["rating"])]
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
    """`value` is the answer from 0 to 1. `person` is null once they are gone."""

    id: UUID
    person: ScoringPerson | None
    is_mine: bool
    question: Question
    answer: int | None
    criteria: dict[str, int] | None
    value: float | None
    comment: str | None
    created_at: datetime
    updated_at: datetime


class FlagRead(Schema):
    """Who marked an output for others to look at; null once they are gone."""

    person: ScoringPerson | None
    is_mine: bool
    created_at: datetime


class OutputScores(Schema):
    """What people say about an output. `value` is their mean, which wins over scorers."""

    value: float | None
    flag: FlagRead | None
    items: list[HumanScoreRead]
