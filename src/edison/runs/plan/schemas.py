"""Request bodies of runs, and the estimate."""

from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import Field, model_validator

from edison.api.json_values import AnyJson
from edison.api.schema import CleanText, Line, Schema, Usd
from edison.library.datasets.schemas.datasets import CaseChoice
from edison.library.models.schemas import ParameterValues
from edison.pipeline.score.safety.numbers import Country
from edison.pipeline.score.safety.pii import SURE_KINDS, PiiKind

MOST_VARIANTS = 32
MOST_SCORERS = 20
MOST_COMPARERS = 3
MOST_COMPARISONS = 200_000
MOST_REPEATS = 20
MOST_CELLS = 200_000
LONGEST_NAME = 200

Name = Annotated[Line, Field(min_length=1, max_length=LONGEST_NAME)]
Label = Annotated[Line, Field(min_length=1, max_length=100)]


class VariantRequest(Schema):
    """A variant: a prompt version with a model and parameters. Without `version_id`, the prompt's
    draft is used; a changed draft becomes a version. `question_variable` names the input variable
    that is asked as it is, in place of a prompt. Without `model_id`, no model is asked: the
    question itself is the answer, for scorers that judge questions. `fallback_model_id` is called
    when the model fails after all retries.
    """

    prompt_id: UUID | None = None
    version_id: UUID | None = None
    question_variable: (
        Annotated[str, Field(max_length=96, pattern=r"^[^\W\d]\w*$", examples=["question"])] | None
    ) = None
    model_id: UUID | None = None
    parameters: ParameterValues | None = None
    fallback_model_id: UUID | None = None
    label: Annotated[Line, Field(min_length=1, max_length=LONGEST_NAME)] | None = None

    @model_validator(mode="after")
    def _has_one_question(self) -> Self:
        if (self.prompt_id is None) == (self.question_variable is None):
            raise ValueError("Name a prompt, or the input variable that is asked as it is.")
        if self.version_id is not None and self.prompt_id is None:
            raise ValueError("A version needs its prompt.")
        if self.model_id is None and (self.prompt_id or self.fallback_model_id or self.parameters):
            raise ValueError("Name a model. Only a question that is judged itself has none.")
        return self


class ScorerRequest(Schema):
    """A scorer of the run. `kind` is one of `GET /scorers/kinds`, `options` are that kind's
    settings. `is_negated` inverts the value. A score of at least `threshold` counts as passed.
    `scorer_version_id` refers to a saved scorer's version instead; only label and weight can be
    overridden.
    """

    kind: Annotated[str | None, Field(max_length=40, examples=["exact"])] = None
    scorer_version_id: UUID | None = None
    label: Label | None = None
    options: Annotated[dict[str, Any], Field(default_factory=dict)]
    weight: Annotated[float, Field(ge=0, le=1000)] = 1
    threshold: Annotated[float, Field(ge=0, le=1)] | None = None
    is_negated: bool = False

    @model_validator(mode="after")
    def _has_one_source(self) -> Self:
        if (self.kind is None) == (self.scorer_version_id is None):
            raise ValueError("Name a kind of scorer, or a version of a saved one.")
        has_own = bool(self.options) or self.threshold is not None or self.is_negated
        if self.scorer_version_id is not None and has_own:
            raise ValueError("A saved scorer brings its own options, threshold and negation.")
        return self


class ComparerRequest(Schema):
    """A comparer of the run. `kind` is one of `GET /comparers/kinds`, `options` are that kind's
    settings. `baseline` is the position of a variant in the request: every other variant is
    compared with it. Without a baseline, all pairs are compared.
    """

    kind: Annotated[str, Field(max_length=40, examples=["pairwise_judge"])]
    label: Label | None = None
    options: Annotated[dict[str, Any], Field(default_factory=dict)]
    baseline: Annotated[int, Field(ge=0, lt=MOST_VARIANTS)] | None = None


class PiiRedaction(Schema):
    """Personal data to redact from answers and judge rationales before they are stored; a
    placeholder such as `[EMAIL]` replaces it. Without `region`, only phone numbers with a + are
    detected. `allowed` values are kept: whole values, or all addresses of a domain
    (`@example.com`).
    """

    kinds: Annotated[
        list[PiiKind], Field(default_factory=lambda: list(SURE_KINDS), min_length=1, max_length=20)
    ]
    region: Annotated[str, Field(pattern=r"^[A-Z]{2}$", examples=["US"])] | None = None
    countries: Annotated[list[Country], Field(default_factory=lambda: ["US"], max_length=20)]
    allowed: Annotated[
        list[Annotated[Line, Field(min_length=1, max_length=200)]],
        Field(default_factory=list, max_length=200),
    ]


def check_source(
    *, dataset_id: UUID | None, cases: CaseChoice | None, inputs: object, expected: object
) -> None:
    """A run has the cases of a dataset, or its own inputs. Raises ValueError."""
    if dataset_id is not None and inputs is not None:
        raise ValueError("Choose a dataset or give inputs, not both.")
    if cases is not None and dataset_id is None:
        raise ValueError("Cases can only be chosen from a dataset.")
    if expected is not None and dataset_id is not None:
        raise ValueError("The cases of a dataset bring their expected answers.")


class RowAssertions(Schema):
    """Assertions of one row in the form of promptfoo. The scorers `assertions` and
    `graded_assertions` evaluate them after their own list. `threshold` replaces that of the list;
    `options` are those of a promptfoo test, such as `transform`.
    """

    assertions: Annotated[
        list[dict[CleanText, AnyJson]], Field(default_factory=list, max_length=200)
    ]
    threshold: float | None = None
    options: Annotated[dict[CleanText, AnyJson], Field(default_factory=dict)]


class RunRequest(Schema):
    """A run: variants x cases x repeats. Cases come from a dataset or from `inputs`; a prompt
    without variables needs neither. `expected` and `assertions` hold the expected answer and the
    assertions for each row of `inputs`.
    """

    name: Name | None = None
    variants: Annotated[list[VariantRequest], Field(min_length=1, max_length=MOST_VARIANTS)]
    dataset_id: UUID | None = None
    cases: CaseChoice | None = None
    inputs: Annotated[list[dict[CleanText, Any]], Field(min_length=1, max_length=100)] | None = None
    expected: Annotated[list[str | None], Field(min_length=1, max_length=100)] | None = None
    assertions: (
        Annotated[list[RowAssertions | None], Field(min_length=1, max_length=100)] | None
    ) = None
    repeats: Annotated[int, Field(ge=1, le=MOST_REPEATS)] = 1
    scorers: Annotated[list[ScorerRequest], Field(default_factory=list, max_length=MOST_SCORERS)]
    comparers: Annotated[
        list[ComparerRequest], Field(default_factory=list, max_length=MOST_COMPARERS)
    ]
    is_cache_bypassed: bool = False
    redact_pii: PiiRedaction | None = None
    failed_count_zero: Annotated[
        bool,
        Field(description="Score failed answers 0; otherwise they are missing and left out"),
    ] = False
    origin: Annotated[
        Literal["api", "arena"],
        Field(description="The page that starts the run; runs are listed and reported by it"),
    ] = "api"

    @model_validator(mode="after")
    def _has_one_source(self) -> Self:
        check_source(
            dataset_id=self.dataset_id,
            cases=self.cases,
            inputs=self.inputs,
            expected=self.expected,
        )
        if self.expected is not None and len(self.expected) != len(self.rows):
            raise ValueError("Give an expected answer, or null, for each row of inputs.")
        if self.assertions is not None and self.dataset_id is not None:
            raise ValueError("Give assertions with inputs, not with a dataset.")
        if self.assertions is not None and len(self.assertions) != len(self.rows):
            raise ValueError("Give assertions, or null, for each row of inputs.")
        if self.judges_questions and (len(self.variants) > 1 or self.redact_pii is not None):
            raise ValueError("Questions are judged as they are, in a run with one variant.")
        return self

    @property
    def judges_questions(self) -> bool:
        """Whether scorers judge the questions, which no model answers."""
        return any(each.model_id is None for each in self.variants)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The input rows of a run without a dataset."""
        return self.inputs or [{}]


class RepeatRequest(Schema):
    """Without `is_cache_bypassed`, cached answers are reused at no cost."""

    is_cache_bypassed: bool = False


class RescoreRequest(Schema):
    """Scorers and comparers to add to a completed run. Its answers are used as they are, and the
    scores it has stay. `baseline` of a comparer is the position of a variant in the run.
    """

    scorers: Annotated[list[ScorerRequest], Field(default_factory=list, max_length=MOST_SCORERS)]
    comparers: Annotated[
        list[ComparerRequest], Field(default_factory=list, max_length=MOST_COMPARERS)
    ]

    @model_validator(mode="after")
    def _adds_something(self) -> Self:
        if not self.scorers and not self.comparers:
            raise ValueError("Add a scorer or a comparer.")
        return self


class RunChange(Schema):
    """Fields left out are not changed."""

    name: Name | None = None
    is_kept: Annotated[
        bool | None, Field(description="Kept runs are not archived or deleted for their age")
    ] = None
    is_archived: Annotated[bool | None, Field(description="Archived runs are hidden")] = None


class EstimatedNumber(Schema):
    """A range from low to high; null if unknown."""

    low: float | None
    high: float | None


class EstimatedCost(Schema):
    low_usd: Usd | None
    high_usd: Usd | None


def _unknown_cost() -> EstimatedCost:
    return EstimatedCost(low_usd=None, high_usd=None)


class BudgetInReach(Schema):
    """A budget that the run would spend from. `too_small`: even the low estimate does not fit, so
    the run is refused; `may_run_out`: the run may pause.
    """

    budget_id: UUID
    name: Annotated[str, Field(examples=["budget of the project"])]
    period: str
    counts_simulated: bool
    # Estimates of earlier versions lack it.
    limit_usd: Usd | None = None
    left_usd: Usd
    fit: Literal["fits", "may_run_out", "too_small"]


class RunEstimate(Schema):
    """Estimated calls, tokens, cost and time of a run. `assumptions` explain the numbers.

    `cost` is null while a price is unknown; `known_cost` is that of all models with a price, and
    `simulated_cost` the part of it in simulated dollars. `budgets` are all budgets in reach.
    """

    answer_calls: int
    judge_calls: int
    input_tokens: int
    output_tokens: EstimatedNumber
    cost: EstimatedCost
    # Estimates of earlier versions lack these.
    known_cost: EstimatedCost = Field(default_factory=_unknown_cost)
    simulated_cost: EstimatedCost = Field(default_factory=_unknown_cost)
    seconds: EstimatedNumber
    assumptions: list[str]
    unpriced_models: list[str]
    budgets: list[BudgetInReach] = Field(default_factory=list)


class ComparerKindRead(Schema):
    """A kind of comparer; `options_schema` is the JSON Schema of its options."""

    kind: str
    title: str
    description: str
    cost_class: str
    options_schema: dict[str, Any]
