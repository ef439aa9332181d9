"""Request and response bodies of A/B tests."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import Field, StringConstraints, field_validator, model_validator

from edison.api.schema import CleanText, Line, Schema, Usd
from edison.kit.lazy_dataclasses import dataclass
from edison.library.models.schemas import ParameterValues
from edison.loops.abtests.states import AbArmName, AbMode, AbTestState, AnswerState
from edison.pipeline.aggregate.ab_test import WORTHWHILE, AbRecommendation
from edison.pipeline.aggregate.results import PairedTest
from edison.runs.plan.schemas import RunEstimate, ScorerRequest
from edison.workspace.resources.schemas import ResourceChange, Status

FEWEST_PAIRS = 10
MOST_PAIRS = 5_000
DEFAULT_PAIRS = 200
MOST_ANSWERS = 100
LONGEST_ANSWER = 100_000
DEFAULT_TEST_BUDGET_USD = Decimal("1.00")

AbTestName = Annotated[
    Line,
    StringConstraints(min_length=1, max_length=100),
    Field(examples=["Shorter replies"]),
]
StopNote = Annotated[CleanText, StringConstraints(strip_whitespace=True, max_length=2000)]


class AbArmChoice(Schema):
    """A prompt version with a model and parameters."""

    prompt_id: UUID
    version_id: UUID
    model_id: UUID
    parameters: ParameterValues | None = None


class AbTestConfig(Schema):
    """An A/B test without its name. Without `dataset_id`, a program records the answers."""

    first: Annotated[AbArmChoice, Field(description="The one in use today")]
    second: Annotated[AbArmChoice, Field(description="The challenger")]
    dataset_id: UUID | None = None
    scorers: Annotated[list[ScorerRequest], Field(min_length=1, max_length=20)]
    pairs: Annotated[
        int,
        Field(ge=FEWEST_PAIRS, le=MOST_PAIRS, description="Pairs of answers, unless it ends early"),
    ] = DEFAULT_PAIRS
    worthwhile: Annotated[
        float,
        Field(ge=0.01, le=0.5, description="The smallest difference that matters, of 0 to 1"),
    ] = WORTHWHILE
    budget_usd: Annotated[
        Usd | None, Field(description="The test ends when it is used up; null is no limit")
    ] = DEFAULT_TEST_BUDGET_USD

    @field_validator("budget_usd")
    @classmethod
    def _is_positive(cls, value: Decimal | None) -> Decimal | None:
        if value is not None and value <= 0:
            raise ValueError("must be more than 0")
        return value


class AbTestRequest(AbTestConfig):
    name: AbTestName


class AbTestChange(ResourceChange):
    """Fields that are left out keep their values. Once the test has started, only its name can
    change.
    """

    name: AbTestName | None = None
    first: AbArmChoice | None = None
    second: AbArmChoice | None = None
    dataset_id: UUID | None = None
    scorers: Annotated[list[ScorerRequest], Field(max_length=20)] | None = None
    pairs: int | None = None
    worthwhile: float | None = None
    budget_usd: Usd | None = None


class AbTestCopyRequest(Schema):
    """Without a name, one is generated. The copy is a draft."""

    name: AbTestName | None = None


class AbStopRequest(Schema):
    note: StopNote = ""


class RecordedAnswer(Schema):
    """An answer of one arm. Without `score`, the scorers of the test score it. An answer with an
    `id` that was recorded before is not recorded again.
    """

    id: Annotated[Line, StringConstraints(min_length=1, max_length=200)] | None = None
    arm: AbArmName
    inputs: Annotated[dict[CleanText, Any], Field(default_factory=dict, max_length=100)]
    answer: Annotated[CleanText, Field(max_length=LONGEST_ANSWER)]
    expected: Annotated[CleanText, Field(max_length=LONGEST_ANSWER)] | None = None
    score: Annotated[float, Field(ge=0, le=1)] | None = None


class RecordAnswersRequest(Schema):
    answers: Annotated[list[RecordedAnswer], Field(min_length=1, max_length=MOST_ANSWERS)]

    @model_validator(mode="after")
    def _has_distinct_ids(self) -> Self:
        given = [each.id for each in self.answers if each.id is not None]
        if len(set(given)) < len(given):
            raise ValueError("Each id may occur once in a request.")
        return self


class RecordedAnswersRead(Schema):
    """`repeated` answers were recorded before. `pending` answers of the test wait for a score."""

    recorded: int
    repeated: int
    pending: int
    state: AbTestState


@dataclass(frozen=True, slots=True, kw_only=True)
class AbTestFilter:
    status: Annotated[Status, Field(description="Archived tests are hidden")] = "active"
    state: AbTestState | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AbAnswerFilter:
    arm: AbArmName | None = None
    state: AnswerState | None = None


class AbArmRead(Schema):
    """An id is null once what it names was deleted; the name stays."""

    prompt_id: UUID | None
    prompt_name: str
    version_id: UUID | None
    version_label: str
    model_id: UUID | None
    model_name: str
    parameters: dict[str, Any] | None


class AbArmUsage(Schema):
    """Answers of an arm in finished batches, and their cost and time per answer."""

    answers: int
    failed: int
    answer_usd: Usd | None
    mean_seconds: float | None


class AbResultRead(Schema):
    """The latest look. `difference` is the mean of the second less that of the first; `low` and
    `high` are its interval, from `test`, which is null with too few pairs. `p_value` exists only
    for a complete test. `is_final`: the test is over.
    """

    recommendation: AbRecommendation
    is_final: bool
    pairs: int
    first_mean: float | None
    second_mean: float | None
    difference: float | None
    low: float | None
    high: float | None
    test: PairedTest | None
    p_value: float | None


class AbLookRead(Schema):
    """The difference after this many pairs. `low` and `high` cover it at all looks together."""

    pairs: int
    difference: float
    low: float | None
    high: float | None


class AbBatchRead(Schema):
    number: int
    cases: int
    run_id: UUID | None
    run_state: str | None
    created_at: datetime
    ended_at: datetime | None
    cost_usd: Usd


class AbAnswerRead(Schema):
    id: UUID
    number: int
    external_id: str | None
    arm: AbArmName
    state: AnswerState
    inputs: dict[str, Any]
    expected: str | None
    answer: str
    score: float | None
    scores: list[dict[str, Any]] | None
    created_at: datetime


class AbDatasetRead(Schema):
    id: UUID
    name: str


class AbTestSummary(Schema):
    id: UUID
    name: str
    state: AbTestState
    mode: AbMode
    first: AbArmRead
    second: AbArmRead
    dataset: AbDatasetRead | None
    pairs: int
    worthwhile: float
    result: AbResultRead | None
    budget_usd: Usd | None
    cost_usd: Usd
    created_at: datetime
    updated_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    archived_at: datetime | None


class AbTestDetail(AbTestSummary):
    """`pending` answers wait for a score. `looks` show how the evidence grew."""

    author: str | None
    scorers: list[ScorerRequest]
    first_usage: AbArmUsage | None
    second_usage: AbArmUsage | None
    looks: list[AbLookRead]
    batches: list[AbBatchRead]
    answers: Annotated[int, Field(description="Recorded answers")]
    pending: int
    reason: str | None
    message: str | None
    note: str | None
    stopped_by: str | None


class AbTestEstimate(Schema):
    """The estimate of a whole test with all planned pairs; null for recorded answers. `fits_budget`
    compares its upper end with the budget.
    """

    run: RunEstimate | None
    fits_budget: bool | None
