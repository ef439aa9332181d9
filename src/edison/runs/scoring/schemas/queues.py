"""Request and response bodies of annotation queues."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from edison.api.schema import CleanText, Line, Schema
from edison.runs.scoring.scales import ScoringQuestion
from edison.runs.scoring.schemas.scores import Answer, Comment, ScoringPerson
from edison.runs.scoring.states import AnnotationQueueState, SampleStrategy

MOST_ITEMS = 2000
MOST_PEOPLE_PER_ITEM = 10
MOST_RUNS = 20
MOST_CRITERIA = 10


def _without_repetition(ids: Sequence[UUID]) -> Sequence[UUID]:
    if len(set(ids)) < len(ids):
        raise ValueError("must not name the same one twice")
    return ids


Name = Annotated[Line, Field(min_length=1, max_length=200, examples=["Refund replies, week 12"])]
Instructions = Annotated[
    CleanText, StringConstraints(strip_whitespace=True), Field(max_length=5000)
]
RunIds = Annotated[
    list[UUID], Field(min_length=1, max_length=MOST_RUNS), AfterValidator(_without_repetition)
]
Seed = Annotated[int, Field(ge=0, lt=2**53)]


class AnnotationCriterion(Schema):
    name: Annotated[Line, Field(min_length=1, max_length=100, examples=["Tone"])]
    description: Annotated[CleanText, Field(max_length=2000)] = ""
    weight: Annotated[float, Field(ge=0, le=1000)] = 1


class SampleRequest(Schema):
    """Selects outputs. `is_unscored_only` leaves out outputs with human scores."""

    run_ids: RunIds
    strategy: SampleStrategy = SampleStrategy.RANDOM
    sample_size: Annotated[int, Field(ge=1, le=MOST_ITEMS)] = 50
    is_unscored_only: bool = True
    seed: Seed | None = None


class SamplePreview(Schema):
    """`available` outputs match; `chosen` of them would be in the sample."""

    available: int
    chosen: int


class AnnotationQueueRequest(SampleRequest):
    """Creates a queue. `overlap` people score each output. Without `assignee_ids`, all members who
    may score are asked. With `criteria`, each is scored separately, and the score is their weighted
    mean.
    """

    name: Name
    instructions: Instructions | None = None
    question: Annotated[ScoringQuestion, Field(examples=["rating"])]
    criteria: Annotated[
        list[AnnotationCriterion], Field(min_length=1, max_length=MOST_CRITERIA)
    ] | (None) = None
    overlap: Annotated[int, Field(ge=1, le=MOST_PEOPLE_PER_ITEM)] = 1
    assignee_ids: Annotated[
        list[UUID], Field(max_length=100, default_factory=list), AfterValidator(_without_repetition)
    ]

    @model_validator(mode="after")
    def _names_criteria_once(self) -> Self:
        names = [criterion.name.casefold() for criterion in self.criteria or ()]
        if len(set(names)) < len(names):
            raise ValueError("Give every criterion a name of its own.")
        return self


class AnnotationQueueChange(Schema):
    name: Name | None = None
    instructions: Instructions | None = None


class AnnotationProgress(Schema):
    """Progress of a queue. `left_for_me`: outputs that you can still score."""

    items: int
    done_items: int
    answers: int
    wanted_answers: int
    my_answers: int
    my_skips: int
    left_for_me: int


class AnnotationQueueRead(Schema):
    """An annotation queue. `is_for_me`: whether you are asked to score."""

    id: UUID
    name: str
    instructions: str | None
    question: ScoringQuestion
    criteria: list[AnnotationCriterion] | None
    strategy: SampleStrategy
    seed: int
    overlap: int
    state: AnnotationQueueState
    author: ScoringPerson | None
    assignees: list[ScoringPerson]
    is_for_me: bool
    progress: AnnotationProgress
    created_at: datetime


class GivenAnswer(Schema):
    """Your earlier answer, to be changed."""

    answer: int | None
    criteria: dict[str, int] | None
    comment: str | None


class AnnotationItemRead(Schema):
    """An output to score, without anything that identifies its variant. It is claimed for you until
    `lease_until`.
    """

    id: UUID
    inputs: dict[str, Any]
    expected: str | None
    text: str
    parsed: str | None
    lease_until: datetime
    previous: GivenAnswer | None


class AnnotationStep(Schema):
    """The next item to score; `item` is null when nothing is left for you."""

    queue: AnnotationQueueRead
    item: AnnotationItemRead | None


class AnnotationAnswer(Schema):
    """One `answer`, or one for each of the queue's `criteria` by name."""

    answer: Answer | None = None
    criteria: dict[CleanText, int] | None = None
    comment: Annotated[Comment | None, Field(examples=["Misses the refund."])] = None


class SkipRequest(Schema):
    reason: Annotated[Line, Field(min_length=1, max_length=200, examples=["I cannot judge this"])]


class PersonProgress(Schema):
    person: ScoringPerson | None
    answers: int
    mean: float | None


class AnnotatedVariant(Schema):
    """Human scores of a variant; `mean` is over its scored outputs."""

    run_id: UUID
    run_name: str
    variant: str
    items: int
    mean: float | None


class SkipCount(Schema):
    reason: str
    count: int


class AnnotationAgreement(Schema):
    """How often two people gave the same answer to the same output. `near_share` also counts
    ratings that differ by one. `alpha` is Krippendorff's alpha, corrected for chance: 1 is full
    agreement, 0 is chance; null if undefined.
    """

    items: int
    pairs: int
    share: float | None
    near_share: float | None
    alpha: float | None


class AnnotationResults(Schema):
    """Results of a queue, with the variants revealed."""

    queue: AnnotationQueueRead
    mean: float | None
    agreement: AnnotationAgreement
    people: list[PersonProgress]
    variants: list[AnnotatedVariant]
    skips: list[SkipCount]
