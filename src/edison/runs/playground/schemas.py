"""What the playground asks of runs, and what it is told."""

from typing import Annotated, Self
from uuid import UUID

from pydantic import Field, model_validator

from edison.api.json_values import JsonObject
from edison.api.schema import ErrorDetail, Line, Schema
from edison.library.datasets.schemas import Tags
from edison.library.models.schemas import ParameterValues
from edison.pipeline.score.grade import GradeForm
from edison.runs.plan.schemas import (
    LONGEST_NAME,
    MOST_REPEATS,
    MOST_SCORERS,
    MOST_VARIANTS,
    CaseChoice,
    Name,
    RunEstimate,
    ScorerRequest,
)


class PlaygroundColumn(Schema):
    """A model beside others. Without `version_id` it answers the prompt's draft."""

    model_id: UUID
    version_id: UUID | None = None
    parameters: ParameterValues | None = None
    label: Annotated[Line, Field(min_length=1, max_length=LONGEST_NAME)] | None = None


class PlaygroundRequest(Schema):
    """One prompt, asked of every column about the cases of a dataset or about one row of `inputs`;
    a prompt without variables needs neither. `expected` is the right answer to that one row. The
    draft becomes a version if its text changed.

    `grader_prompt_id` grades every answer, by `grader_model_id`; it is the run's first scorer, and
    `scorers` come after it.
    """

    name: Name | None = None
    prompt_id: UUID
    columns: Annotated[list[PlaygroundColumn], Field(min_length=1, max_length=MOST_VARIANTS)]
    dataset_id: UUID | None = None
    cases: CaseChoice | None = None
    inputs: JsonObject | None = None
    expected: str | None = None
    grader_prompt_id: UUID | None = None
    grader_model_id: UUID | None = None
    grader_form: GradeForm = GradeForm.SHARE
    scorers: Annotated[
        list[ScorerRequest], Field(default_factory=list, max_length=MOST_SCORERS - 1)
    ]
    repeats: Annotated[int, Field(ge=1, le=MOST_REPEATS)] = 1
    is_cache_bypassed: bool = False

    @model_validator(mode="after")
    def _has_one_source(self) -> Self:
        if self.dataset_id is not None and self.inputs is not None:
            raise ValueError("Choose a dataset or give inputs, not both.")
        if self.cases is not None and self.dataset_id is None:
            raise ValueError("Cases can only be chosen from a dataset.")
        if self.expected is not None and self.dataset_id is not None:
            raise ValueError("The cases of a dataset bring their expected answers.")
        return self


class PlaygroundCheck(Schema):
    """Whether a run could start, and what it would take. There is an estimate unless there are
    problems. `running_id` is one's run that is still under way, beside which no other can start.
    """

    problems: list[ErrorDetail]
    estimate: RunEstimate | None
    running_id: UUID | None


class ExpectedRequest(Schema):
    """Saves the part that the prompt asked for, which is what scorers see, or with `is_parsed` off
    the whole answer. With `about`, the output's `number`, it is refused if the answer has been made
    again since. `is_forced` saves it even if the case was changed since the run.
    """

    is_parsed: bool = True
    is_forced: bool = False
    about: int | None = None


class RowCaseRequest(Schema):
    """Adds a row of a run to a dataset. The expected answer is what `output_id` says, or
    `expected`, or none; `tags` are those of the row unless others are given.
    """

    dataset_id: UUID
    output_id: UUID | None = None
    expected: str | None = None
    tags: Tags | None = None

    @model_validator(mode="after")
    def _has_one_answer(self) -> Self:
        if self.output_id is not None and self.expected is not None:
            raise ValueError("Name an output or give the expected answer, not both.")
        return self
