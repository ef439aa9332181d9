"""Schemas of the generation endpoints."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from edison.api.schema import CleanText, Line, Schema, Usd
from edison.library.datasets.schemas.datasets import Inputs, Tags
from edison.library.generation.models import GenerationState
from edison.library.generation.plan import Attack, GenerationKind, QuestionLevel
from edison.library.prompts.schemas import PromptText, SystemText
from edison.pipeline.render.length_bucket import LengthBucket
from edison.pipeline.render.template import Syntax

MOST_CASES = 500
FEWEST_CASES = 10


def _without_repeats(values: list[str]) -> list[str]:
    return list(dict.fromkeys(values))


def _unique(values: list[LengthBucket]) -> list[LengthBucket]:
    return sorted(set(values), key=list(LengthBucket).index)


Count = Annotated[int, Field(ge=FEWEST_CASES, le=MOST_CASES, examples=[20])]
Diversity = Annotated[int, Field(ge=1, le=10, description="1 is alike, 10 as varied as can be")]
Hints = Annotated[
    CleanText,
    StringConstraints(strip_whitespace=True, min_length=20, max_length=1000),
    Field(examples=["Questions that customers of a web shop ask about late parcels"]),
]
FreeText = Annotated[CleanText, StringConstraints(strip_whitespace=True, max_length=1000)]
Languages = Annotated[
    list[Annotated[Line, StringConstraints(min_length=2, max_length=40)]],
    Field(max_length=10, examples=[["English", "German"]]),
    AfterValidator(_without_repeats),
]
LengthBuckets = Annotated[list[LengthBucket], Field(max_length=20), AfterValidator(_unique)]
VariableName = Annotated[Line, StringConstraints(min_length=1, max_length=100)]


class _Wanted(Schema):
    """Fields of every kind of generation. `variables` defaults to those of the dataset or prompt.
    `tags` are added to every case, besides the tags that the model chooses.
    """

    model_id: UUID
    count: Count = FEWEST_CASES
    variables: Annotated[
        list[VariableName], Field(max_length=20), AfterValidator(_without_repeats)
    ] = Field(default_factory=list)
    tags: Tags = Field(default_factory=list)
    with_expected: Annotated[
        bool, Field(description="Have the model write expected answers, too")
    ] = False


class SyntheticRequest(_Wanted):
    """Cases like those that users would send."""

    kind: Literal["synthetic"]
    hints: Hints
    diversity: Diversity = 5
    languages: Languages = Field(default_factory=list)
    length_buckets: LengthBuckets = Field(default_factory=list)


class GapsRequest(_Wanted):
    """Cases for the least covered parts of the dataset."""

    kind: Literal["gaps"]
    hints: FreeText | None = None
    diversity: Diversity = 5


class WrittenPrompt(Schema):
    """A prompt that is not in the library."""

    syntax: Syntax = Syntax.DOUBLE
    system: SystemText = None
    text: PromptText


class AdversarialRequest(_Wanted):
    """Cases that try to break a prompt: one of the library, or one given here."""

    kind: Literal["adversarial"]
    prompt_id: UUID | None = None
    prompt: WrittenPrompt | None = None
    attacks: Annotated[list[Attack], Field(min_length=1, max_length=20)] = Field(
        default_factory=lambda: list(Attack)
    )
    hints: FreeText | None = None


class QuestionsRequest(_Wanted):
    """Questions about a topic. `variables` names the one variable that holds them."""

    kind: Literal["questions"]
    count: Annotated[int, Field(ge=1, le=MOST_CASES)] = 10
    topic: Annotated[
        CleanText,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=200),
        Field(examples=["Photosynthesis"]),
    ]
    types: Annotated[
        list[Annotated[Line, StringConstraints(min_length=1, max_length=40)]],
        Field(max_length=10, examples=[["logic", "coding"]]),
        AfterValidator(_without_repeats),
    ] = Field(default_factory=list)
    difficulty: QuestionLevel = QuestionLevel.MIXED
    instructions: FreeText | None = None
    languages: Languages = Field(default_factory=list)


GenerationRequest = Annotated[
    SyntheticRequest | GapsRequest | AdversarialRequest | QuestionsRequest,
    Field(discriminator="kind"),
]


class CaseAuthorRead(Schema):
    """The model that wrote a case, and the prompt of its batch. `model_id` is null if the model was
    deleted.
    """

    generation_id: UUID
    kind: GenerationKind
    model_id: UUID | None
    model_name: str
    created_at: datetime
    system: str
    prompt: str


class GenerationRead(Schema):
    """`cost_usd` is the cost of the answers that were read, null while a price is unknown; the cost
    of calls that were cut off is in the ledger.
    """

    id: UUID
    dataset_id: UUID
    kind: GenerationKind
    state: GenerationState
    model_id: UUID | None
    model_name: str
    author_id: UUID | None
    wanted_count: int
    draft_count: int
    accepted_count: int
    malformed_count: Annotated[int, Field(description="Lines that could not be read")]
    refused_count: Annotated[int, Field(description="Rows that cannot be cases")]
    repeated_count: Annotated[int, Field(description="Rows that were there already")]
    cost_usd: Usd | None
    note: Annotated[
        str | None, Field(description="Why it failed, or gave fewer than were asked for")
    ]
    failure: Annotated[
        str | None,
        Field(description="The provider's failure, normalised; or `budget`, or `internal`"),
    ]
    is_resumable: Annotated[bool, Field(description="It failed, and `resume` may go on")]
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None


class GenerationDetail(GenerationRead):
    request: GenerationRequest
    variables: list[str]
    near_duplicates: Annotated[int, Field(description="Drafts that are nearly copies")]
    gaps: Annotated[list[str], Field(description="What the dataset lacked, if that was asked")]


class NearRead(Schema):
    """The case or earlier draft that a draft is nearly a copy of."""

    similarity: Annotated[float, Field(ge=0, le=1)]
    case_id: UUID | None
    draft_id: UUID | None


class CaseDraftRead(Schema):
    """`case_id` is set once the draft was added to the dataset."""

    id: UUID
    position: int
    inputs: Inputs
    expected: str | None
    tags: list[str]
    difficulty: int | None
    near: NearRead | None
    case_id: UUID | None


class GenerationRange(Schema):
    low: int
    high: int


class CostRange(Schema):
    low: Usd
    high: Usd


class EstimateRead(Schema):
    """`cost_usd` is null when the model's price is unknown."""

    calls: GenerationRange
    input_tokens: GenerationRange
    output_tokens: GenerationRange
    cost_usd: CostRange | None
    seconds: GenerationRange
    assumptions: list[str]


class AcceptRequest(Schema):
    """Either `draft_ids`, or all; then minus `except_ids`. With all, near duplicates are left out
    unless `with_near_duplicates`.
    """

    draft_ids: Annotated[list[UUID] | None, Field(min_length=1, max_length=MOST_CASES)] = None
    except_ids: Annotated[list[UUID], Field(max_length=MOST_CASES)] = Field(default_factory=list)
    with_near_duplicates: bool = False

    @model_validator(mode="after")
    def _one_way(self) -> "AcceptRequest":
        if self.draft_ids is not None and self.except_ids:
            raise ValueError("Give either draft_ids or except_ids.")
        return self


class AcceptResult(Schema):
    """`copies`: drafts left out because the dataset already has their inputs."""

    added: int
    copies: int
    case_ids: list[UUID]


class RewriteRequest(Schema):
    """Asks a model for a better wording of one input of a case. `remarks` say what is wrong with
    it, such as the reasons of judges. Another `turn` gives another wording instead of the cached
    one.
    """

    model_id: UUID
    variable: Annotated[CleanText, Field(min_length=1, max_length=96, examples=["question"])]
    remarks: Annotated[
        list[Annotated[CleanText, Field(min_length=1, max_length=2000)]],
        Field(default_factory=list, max_length=50),
    ]
    turn: Annotated[int, Field(ge=0, le=100)] = 0


class RewriteRead(Schema):
    """A proposal. Nothing was changed: accept it by changing the case with `case_version`."""

    text: str
    changes: str
    case_version: int
    model: str
    is_simulated: bool
