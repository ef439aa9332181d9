"""Request and response bodies of the playground."""

from typing import Annotated, Self
from uuid import UUID

from pydantic import Field, model_validator

from edison.api.json_values import JsonObject
from edison.api.schema import ErrorDetail, Line, Schema
from edison.library.datasets.schemas.datasets import CaseChoice, Tags
from edison.library.models.schemas import ParameterValues
from edison.pipeline.score.grade import GradeForm
from edison.runs.plan.schemas import (
    LONGEST_NAME,
    MOST_REPEATS,
    MOST_SCORERS,
    MOST_VARIANTS,
    Name,
    RunEstimate,
    ScorerRequest,
    check_source,
)


class PlaygroundColumn(Schema):
    """One model of the playground. Without `version_id`, the prompt's draft is used."""

    model_id: UUID
    version_id: UUID | None = None
    parameters: ParameterValues | None = None
    label: Annotated[Line, Field(min_length=1, max_length=LONGEST_NAME)] | None = None


class PlaygroundRequest(Schema):
    """Runs one prompt on every column, for the cases of a dataset or one row of `inputs`; a prompt
    without variables needs neither. `expected` is the expected answer to that row. A changed draft
    becomes a version.

    `grader_prompt_id` grades every answer with `grader_model_id`. It becomes the run's first
    scorer, followed by `scorers`.
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
        check_source(
            dataset_id=self.dataset_id,
            cases=self.cases,
            inputs=self.inputs,
            expected=self.expected,
        )
        return self


class PlaygroundCheck(Schema):
    """Whether a run could start, and its estimate, which is null if there are problems.
    `running_id` is your active playground run; while it runs, no other can start.
    """

    problems: list[ErrorDetail]
    estimate: RunEstimate | None
    running_id: UUID | None


class ExpectedRequest(Schema):
    """Saves the parsed part of the answer, which scorers see, or the whole answer with `is_parsed`
    off. With `about`, the output's `number`, the request is refused if the answer has been
    replaced. `is_forced` saves it even if the case has changed since the run.
    """

    is_parsed: bool = True
    is_forced: bool = False
    about: int | None = None


class RowCaseRequest(Schema):
    """Adds a row of a run to a dataset. The expected answer comes from `output_id` or `expected`,
    or is empty; `tags` default to those of the row.
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
