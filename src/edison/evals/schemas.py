"""Request and response bodies of evaluations."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Self
from uuid import UUID

from pydantic import Field, StringConstraints, field_validator, model_validator

from edison.api.json_values import AnyJson
from edison.api.schema import CleanText, Line, Schema, Usd
from edison.runs.plan.schemas import (
    MOST_CELLS,
    MOST_SCORERS,
    MOST_VARIANTS,
    RowAssertions,
    RunRequest,
)
from edison.runs.read.schemas import WaitingRead
from edison.runs.store.states import RunState

MOST_TAGS = 50
MOST_GROUPS = 200
LONGEST_TEMPLATE = 200_000

TagName = Annotated[Line, StringConstraints(min_length=1, max_length=100)]
TagValue = Annotated[CleanText, StringConstraints(max_length=500)]
Tags = Annotated[dict[TagName, TagValue], Field(max_length=MOST_TAGS)]


class EvaluationLimit(Schema):
    """What an evaluation may cost. Calls that could exceed it are not made."""

    max_cost_usd: Annotated[
        Usd | None,
        Field(description="Simulated cost counts if every model is simulated; null is no limit"),
    ] = None

    @field_validator("max_cost_usd")
    @classmethod
    def _is_positive(cls, value: Decimal | None) -> Decimal | None:
        if value is not None and value <= 0:
            raise ValueError("must be more than 0")
        return value


class EvaluationRequest(EvaluationLimit):
    """A run with a cost limit of its own."""

    run: RunRequest
    tags: Tags = Field(default_factory=dict)


class PlannedProvider(Schema):
    """A provider of a configuration, without its key. The project's model of the same provider and
    name answers for it.
    """

    id: Annotated[Line, StringConstraints(min_length=1, max_length=300)]
    label: Annotated[Line, StringConstraints(max_length=300)] | None = None
    config: dict[CleanText, AnyJson] = Field(default_factory=dict)


class PlannedColumn(Schema):
    """A prompt with a provider, which is a position in `providers`."""

    prompt: Annotated[CleanText, StringConstraints(max_length=LONGEST_TEMPLATE)]
    template: Annotated[CleanText, StringConstraints(max_length=LONGEST_TEMPLATE)]
    provider: Annotated[int, Field(ge=0)]


class PlannedTest(Schema):
    """A test: values for the templates, and assertions in the form of promptfoo."""

    description: CleanText | None = None
    vars: dict[CleanText, AnyJson]
    checks: RowAssertions


class PlannedGroup(Schema):
    """Tests that ask the same columns, and become one run."""

    columns: Annotated[list[PlannedColumn], Field(min_length=1, max_length=MOST_VARIANTS)]
    tests: Annotated[list[PlannedTest], Field(min_length=1, max_length=MOST_CELLS)]
    transform: CleanText | None = None


class EvaluationPlan(EvaluationLimit):
    """What `edison eval --server` read from a configuration. With `resumes`, the evaluation of the
    same plan goes on, the latest or the one of `evaluation_id`; with `retries_errors`, what failed
    in it is asked again. `graders` are positions in `providers`, by the name in the assertions.
    """

    name: Annotated[Line, StringConstraints(min_length=1, max_length=100)] = "Evaluation"
    tags: Tags = Field(default_factory=dict)
    providers: Annotated[list[PlannedProvider], Field(min_length=1, max_length=100)]
    graders: Annotated[dict[CleanText, Annotated[int, Field(ge=0)]], Field(max_length=100)] = Field(
        default_factory=dict
    )
    groups: Annotated[list[PlannedGroup], Field(min_length=1, max_length=MOST_GROUPS)]
    repeats: Annotated[int, Field(ge=1, le=100)] = 1
    is_cached: bool = True
    resumes: bool = False
    retries_errors: bool = False
    evaluation_id: UUID | None = None

    @model_validator(mode="after")
    def _is_complete(self) -> Self:
        used = [*self.graders.values()]
        used += [column.provider for group in self.groups for column in group.columns]
        if max(used) >= len(self.providers):
            raise ValueError("A column or a grader names a provider that is not listed.")
        cells = sum(len(group.columns) * len(group.tests) for group in self.groups)
        if cells * self.repeats > MOST_CELLS:
            raise ValueError(f"An evaluation has at most {MOST_CELLS:,} answers.")
        return self


class MeasuredScore(Schema):
    """A score that a program computed; `value` is null if there is none, for the given error."""

    value: Annotated[float, Field(ge=0, le=1)] | None
    reason: CleanText = ""
    error: CleanText | None = None


class MeasuredCell(Schema):
    """An answer that a program gave. Rows with equal `id`, or without ids with equal inputs, are
    repeats of a case.
    """

    id: Annotated[CleanText, StringConstraints(max_length=500)] | None = None
    inputs: AnyJson
    expected: AnyJson = None
    repeat: Annotated[int, Field(ge=0, lt=100)] = 0
    output: AnyJson = None
    error: CleanText | None = None
    seconds: Annotated[float, Field(ge=0)] = 0.0
    scores: dict[CleanText, MeasuredScore] = Field(default_factory=dict)


class MeasuredRun(Schema):
    """Rows of one task with its scorers."""

    name: Annotated[Line, StringConstraints(min_length=1, max_length=100)]
    scorers: Annotated[
        list[Annotated[Line, StringConstraints(min_length=1, max_length=100)]],
        Field(max_length=MOST_SCORERS),
    ]
    rows: Annotated[list[MeasuredCell], Field(min_length=1, max_length=MOST_CELLS)]

    @model_validator(mode="after")
    def _names_scorers_once(self) -> Self:
        if len(set(self.scorers)) < len(self.scorers):
            raise ValueError("Two scorers have the same name.")
        return self


class MeasuredResults(Schema):
    """Results that a program measured itself, to be stored as completed runs."""

    name: Annotated[Line, StringConstraints(min_length=1, max_length=100)]
    tags: Tags = Field(default_factory=dict)
    runs: Annotated[list[MeasuredRun], Field(min_length=1, max_length=MOST_GROUPS)]


class EvaluationScore(Schema):
    """The verdict about an answer. `raw` has the verdict of each assertion, as JSON."""

    flag: str | None
    raw: str | None
    rationale: str | None
    cost_nanos: int | None


class EvaluationCell(Schema):
    """An answer of an evaluation with its verdict."""

    id: UUID
    case_position: int
    variant_position: int
    repeat: int
    status: str
    text: str | None
    message: str | None
    cost_nanos: int | None
    latency_seconds: float | None
    input_tokens: int | None
    output_tokens: int | None
    finish_reason: str | None
    is_cached: bool
    score: EvaluationScore | None


class EvaluationCellPage(Schema):
    """Answers to a range of cases. `next` is where to continue."""

    items: list[EvaluationCell]
    next: int | None


class MeasuredRowRead(Schema):
    """A row to compare with: equal `case` and `assertions` are equal tests."""

    case: str
    assertions: str
    provider: str
    prompt: str
    is_passed: bool
    score: float | None


class EvaluationBaseline(Schema):
    rows: list[MeasuredRowRead]


class EvaluationRunRead(Schema):
    """A run of an evaluation. `reason` and `message` say why it is paused or failed."""

    id: UUID
    state: RunState
    reason: str | None
    message: str | None
    done_count: int
    cell_count: int


class EvaluationRead(Schema):
    """An evaluation with its runs. `is_waiting`: no run goes on by itself, because each is
    completed, cancelled, failed or paused. `waits`: why calls are queued, while runs go on.
    """

    id: UUID
    name: str
    project_slug: str
    tags: dict[str, str]
    created_at: datetime
    is_waiting: bool
    done_count: int
    cell_count: int
    waits: list[WaitingRead]
    runs: list[EvaluationRunRead]
