"""Query and response bodies of judged questions."""

from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field

from edison.api.schema import Schema
from edison.kit.lazy_dataclasses import dataclass
from edison.runs.results.schemas.statistics import MeanRead

# Scores below this are weak.
WEAK_BELOW = 0.7

QuestionOrder = Literal["weakest", "disagreement", "position"]
Verdict = Annotated[float | None, Field(description="0 to 1; null without a verdict")]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionFilter:
    """Selects judged questions; conditions are combined with AND."""

    order: QuestionOrder = "weakest"
    is_weak: Annotated[bool | None, Field(description=f"Scored below {WEAK_BELOW}")] = None
    generator: Annotated[str | None, Field(max_length=120, description="Key of a generator")] = None


class DefaultCriterionRead(Schema):
    """A criterion by which questions are judged unless a request brings its own."""

    name: str
    description: str
    weight: float
    scale: str


class GeneratorRead(Schema):
    """Questions by the model that wrote them, or by the origin of their cases. `is_judge`: the
    model judged its own questions. `key` selects them in the list.
    """

    key: str
    model_id: UUID | None
    name: Annotated[str | None, Field(description="The model; null for other origins")]
    origin: Annotated[str | None, Field(examples=["manual"])]
    questions: int
    weak: int
    score: MeanRead
    is_judge: bool


class QuestionReport(Schema):
    """The result of judging questions. `unjudged` questions have no verdict yet, or no judge gave a
    readable one. Agreement, criteria and judges are in the summary of the run.
    """

    run_id: UUID
    dataset_id: UUID | None
    questions: int
    judged: int
    unjudged: int
    weak: int
    weak_below: float
    score: MeanRead
    generators: list[GeneratorRead]


class CriterionVerdict(Schema):
    """`raw` is on the criterion's scale, which ends at `maximum`."""

    name: str
    raw: float
    maximum: int
    rationale: str | None


class JudgeVerdict(Schema):
    """`problem` says why the judge gave no verdict."""

    name: str
    value: Verdict
    problem: str | None
    criteria: list[CriterionVerdict]


class QuestionCriterionMean(Schema):
    name: str
    weight: float
    value: Verdict


class JudgedQuestion(Schema):
    """A question with its verdicts. `score` is that of people where there is one, otherwise the
    mean of the judges. `judged_difficulty` is on the scale of `difficulty`, 1 to 5. `case_state`:
    whether the dataset still has the question as it was judged; `case_version` is its current
    version.
    """

    position: int
    output_id: UUID | None
    case_id: UUID | None
    case_version: int | None
    case_state: Literal["current", "changed", "deleted"]
    question: str
    inputs: dict[str, Any]
    expected: str | None
    tags: list[str]
    difficulty: int | None
    judged_difficulty: float | None
    generator: str
    score: Verdict
    human_score: Verdict
    disagreement: Annotated[float | None, Field(description="How far judges are apart, 0 to 1")]
    is_weak: bool
    criteria: list[QuestionCriterionMean]
    judges: list[JudgeVerdict]
