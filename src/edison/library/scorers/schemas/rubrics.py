"""Schemas of the rubric endpoints."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field, WithJsonSchema

from edison.api.schema import CleanText, Schema
from edison.library.scorers.schemas.scorers import Name, ScorerDescription, VersionNumber
from edison.pipeline.score.rubric import MOST_CRITERIA, Scale
from edison.workspace.resources.schemas import SavedVersionRead, SavedVersionReference

# Wider than allowed: `criteria.py` reports all problems at once, which the schema would not.
_Weight = Annotated[
    float,
    Field(ge=-1000, le=1000),
    WithJsonSchema(
        {
            "type": "number",
            "minimum": 0,
            "maximum": 100,
            "description": "How much it counts. Weights are divided by their sum when saved.",
        }
    ),
]


class CriterionBody(Schema):
    """A criterion of a rubric."""

    name: Annotated[
        CleanText,
        Field(max_length=1000),
        WithJsonSchema(
            {
                "type": "string",
                "minLength": 1,
                "maxLength": 50,
                "description": "Letters, digits and spaces; unique in the rubric",
                "examples": ["Accuracy"],
            }
        ),
    ]
    description: Annotated[
        CleanText,
        Field(max_length=10_000),
        WithJsonSchema(
            {
                "type": "string",
                "minLength": 10,
                "maxLength": 500,
                "examples": ["Everything it says about the parcel is true."],
            }
        ),
    ]
    weight: _Weight = 1
    scale: Annotated[
        CleanText,
        Field(max_length=100),
        WithJsonSchema({"type": "string", "enum": [scale.value for scale in Scale]}),
    ] = Scale.TO_5.value


class RubricContent(Schema):
    """1 to 10 criteria, in the order in which the judge reads them."""

    criteria: Annotated[
        list[CriterionBody],
        Field(max_length=100, json_schema_extra={"minItems": 1, "maxItems": MOST_CRITERIA}),
    ]


class RubricRequest(RubricContent):
    name: Name
    description: ScorerDescription = None


class RubricVersionRequest(RubricContent):
    """`based_on` is the number of the version you changed; refused when another version was saved
    since.
    """

    based_on: VersionNumber


class RubricPreviewRequest(RubricContent):
    """The criteria as they are being edited, and the task that answers are for."""

    goal: Annotated[CleanText, Field(max_length=2000)] = ""


class RubricPreviewRead(Schema):
    """The prompt of a judge. Words in square brackets stand for the parts of each answer."""

    system: str
    question: str


class CriterionRead(Schema):
    name: str
    description: str
    weight: float
    scale: str


class RubricSummary(Schema):
    """`scorer_count`: number of saved scorers whose latest version uses it."""

    id: UUID
    name: str
    description: str | None
    criterion_names: list[str]
    latest: SavedVersionReference
    scorer_count: int
    author: Annotated[str | None, Field(description="Who made the latest version, by email")]
    archived_at: datetime | None
    created_at: datetime
    updated_at: datetime


class RubricRead(RubricSummary):
    criteria: list[CriterionRead]


class NoticeRead(Schema):
    """A note about what was saved."""

    code: Annotated[str, Field(examples=["weights_normalised"])]
    message: str


class RubricSaved(Schema):
    """The saved rubric, and notes about it."""

    rubric: RubricRead
    notices: list[NoticeRead]


class RubricVersionRead(SavedVersionRead):
    criteria: list[CriterionRead]
