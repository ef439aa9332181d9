"""Response bodies of runs, cells and comparisons."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field

from edison.api.schema import Schema, Usd
from edison.runs.plan.schemas import PiiRedaction, RunEstimate
from edison.runs.store.states import RunState

Side = Literal["a", "b"]
Preference = Literal["a", "b", "tie"]


class RunComparerRead(Schema):
    """A comparer of the run. `baseline` is the position of the variant all others are compared
    with.
    """

    id: UUID
    position: int
    kind: str
    label: str
    baseline: int | None
    options: dict[str, Any]


class OrderRead(Schema):
    """The verdict with one of the answers shown first; without a winner, `problem` says why."""

    shown_first: Side
    winner: Preference | None
    reasons: list[str]
    raw: str | None
    flag: str | None
    problem: str | None


class ComparisonBrief(Schema):
    """Which of two variants answered a case better; `a` is the variant with the lower position."""

    id: UUID
    number: int
    comparer: Annotated[int, Field(description="Position of the comparer")]
    case_position: int
    repeat: int
    variant_a: int
    variant_b: int
    preference: Preference | None
    flag: str | None


class ComparisonRead(ComparisonBrief):
    """A comparison with the verdict in each order, in terms of a and b."""

    output_a_id: UUID
    output_b_id: UUID
    verdict_ab: Annotated[Preference | None, Field(description="With a shown first")]
    verdict_ba: Annotated[Preference | None, Field(description="With b shown first")]
    rationale: str | None
    orders: list[OrderRead]
    judge_text: str | None
    cost_usd: Usd | None
    created_at: datetime


Action = Literal["pause", "resume", "cancel", "retry", "rescore", "again", "replay"]


class TallyRead(Schema):
    """Sums over finished cells. `unpriced_count` counts cells without a known price."""

    done_count: int
    error_count: int
    malformed_count: int
    cached_count: int
    unpriced_count: int
    score_count: int
    cost_usd: Usd
    input_tokens: int
    output_tokens: int


class RunAuthor(Schema):
    id: UUID
    name: str


class RunRead(TallyRead):
    """A run. `reason` and `message` say why it is paused or failed."""

    id: UUID
    name: str
    origin: str
    state: RunState
    reason: str | None
    message: str | None
    author: RunAuthor | None
    dataset_id: UUID | None
    dataset_name: str | None
    case_count: int
    variant_count: int
    version_labels: Annotated[list[str], Field(description="Versions of its variants")]
    model_names: Annotated[list[str], Field(description="Models of its variants")]
    repeats: int
    cell_count: int
    scorer_count: int
    unconfirmed_usd: Annotated[
        Usd,
        Field(description="Part of `cost_usd` charged for calls lost in a crash, at their worst"),
    ]
    comparison_total: Annotated[int, Field(description="Pairs of answers that are compared")]
    comparison_count: Annotated[int, Field(description="Pairs that were compared so far")]
    is_simulated: bool
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    elapsed_seconds: Annotated[float, Field(description="At work, pauses left out")]
    score: Annotated[float | None, Field(description="Mean over variants, once it is over")]
    is_kept: Annotated[bool, Field(description="Not archived or deleted for its age")]
    archived_at: datetime | None


class WaitingRead(Schema):
    """Why calls are currently queued."""

    reason: str
    sentence: str
    until: datetime | None


class HaltedRead(Schema):
    """Why the remaining cells of a variant fail without a call."""

    reason: str
    message: str


class VariantSummary(Schema):
    """Results of a variant, once the run has finished. `score` is the mean over the outputs: each
    output's human score, otherwise the weighted mean of its scorers. `human_count` is the number of
    outputs with a human score.
    """

    score: float | None
    scored_count: Annotated[int | None, Field(description="Outputs that have a score")] = None
    human_count: int = 0
    pass_rate: float | None
    scorers: dict[str, float | None]
    latency_p50_seconds: float | None
    latency_p95_seconds: float | None


class RunVariantRead(TallyRead):
    """A variant of a run. `cell_count` is its number of cells, finished or not."""

    id: UUID
    position: int
    label: str
    prompt_id: UUID | None
    version_id: UUID | None
    prompt_name: str
    version_label: str
    model_id: UUID | None
    fallback_model_id: UUID | None
    model_name: str
    provider: str
    is_simulated: bool
    parameters: dict[str, Any]
    cell_count: int
    halted: HaltedRead | None
    waiting: WaitingRead | None
    summary: VariantSummary | None


class RunScorerRead(Schema):
    """A scorer of the run. `scorer_version_id` is the saved scorer's version it came from."""

    id: UUID
    position: int
    kind: str
    label: str
    weight: float
    threshold: float | None
    is_negated: bool
    scorer_version_id: UUID | None
    options: dict[str, Any]


class ComparedWithEstimate(Schema):
    """Actual figures against the estimate; a ratio of 1 means exactly as estimated."""

    is_cost_within: bool | None
    cost_ratio: Annotated[float | None, Field(description="Against the middle of the range")]
    seconds_ratio: float | None
    output_tokens_ratio: float | None


class PhaseRead(Schema):
    """One phase of the timeline."""

    state: RunState
    began_at: datetime | None
    ended_at: datetime | None


class RunDetail(RunRead):
    """A run with its details. `actions` are the actions available now. `remaining_seconds` is based
    on the run's average pace.
    """

    variants: list[RunVariantRead]
    scorers: list[RunScorerRead]
    comparers: list[RunComparerRead]
    phases: list[PhaseRead]
    estimate: RunEstimate | None
    compared: ComparedWithEstimate | None
    cells_per_second: float | None
    remaining_seconds: float | None
    actions: list[Action]
    parent_id: UUID | None
    replay_of_id: UUID | None
    redaction: Annotated[
        PiiRedaction | None,
        Field(description="What is taken out of answers before they are stored"),
    ]
    failed_count_zero: Annotated[
        bool, Field(description="Whether failed answers score 0 instead of being missing")
    ]
    code_version: str
    last_number: Annotated[int, Field(description="Where its stream of events stands")]


class CellScore(Schema):
    scorer: Annotated[int, Field(description="Position of the scorer")]
    value: float | None
    is_passed: bool | None
    flag: str | None


class GradeRead(Schema):
    """The score that counts, and its source: `human` scores; otherwise `grader` if a judge model
    contributed, or `scorer`; `rule` for malformed answers, which score 0.
    """

    value: float
    by: Literal["human", "grader", "scorer", "rule"]


class CellRead(Schema):
    """A finished cell, shortened for a grid. `preview` is the beginning of the answer."""

    id: UUID
    number: int
    case_position: int
    variant_position: int
    repeat: int
    status: Literal["ok", "error", "malformed"]
    error: str | None
    provider_text: Annotated[
        str | None, Field(description="What the provider said about a failure, without secrets")
    ]
    finish_reason: str | None
    preview: str | None
    is_truncated: Annotated[bool, Field(description="The answer goes on after `preview`")]
    is_cached: bool
    is_fallback: bool
    is_wanted_again: bool
    cost_usd: Usd | None
    input_tokens: int | None
    output_tokens: int | None
    latency_seconds: float | None
    human_value: Annotated[float | None, Field(description="Mean of people's scores; it wins")]
    grade: GradeRead | None
    scores: list[CellScore]


class RowRead(Schema):
    """A case of the run and its finished cells."""

    position: int
    case_id: UUID | None
    split: str | None
    difficulty: int | None
    tags: list[str]
    inputs: dict[str, Any]
    expected: str | None
    assertions: dict[str, Any] | None
    cells: list[CellRead]


class RowPage(Schema):
    """A page of rows. `next` is the position to continue after."""

    items: list[RowRead]
    next: int | None
    total: int


class ScoreCriterionRead(Schema):
    value: float | None
    raw: float | str | None
    rationale: str | None


class JudgeScoreRead(Schema):
    """The score of one judge of a panel; with a flag, the value is the lowest possible score."""

    model_id: UUID
    name: str
    value: float
    flag: str | None
    problem: str | None
    raw: str | None
    criteria: dict[str, ScoreCriterionRead]


class ScoreRead(CellScore):
    """A score in detail. `judges` holds each panel judge's score by label; `judge_text` names the
    judge prompt with its version.
    """

    id: UUID
    rationale: str | None
    raw: str | None
    criteria: dict[str, ScoreCriterionRead] | None
    judges: dict[str, JudgeScoreRead] | None
    judge_text: str | None
    cost_usd: Usd | None


class SentMessage(Schema):
    role: Literal["user", "assistant"]
    text: str


class SentPromptRead(Schema):
    system: str | None
    messages: list[SentMessage]
    tools: list[dict[str, Any]]


class OutputProvenance(Schema):
    """How an output was produced."""

    prompt_version_id: UUID | None
    prompt_label: str
    model: str | None
    provider: str
    credential: Annotated[
        str | None, Field(description="Label of the credential; null if no model was called")
    ]
    parameters: dict[str, Any]
    ignored_parameters: list[str]
    request_id: str | None
    price_version: str | None
    prompt_digest: str
    cache_key: str
    code_version: str


class OutputDetail(CellRead):
    """One cell in full."""

    run_id: UUID
    message: Annotated[
        str | None, Field(description="Why the call failed, or why the answer is malformed")
    ]
    text: str | None
    parsed: str | None
    attempts: int
    waited_seconds: float
    first_token_seconds: float | None
    cached_input_tokens: int | None
    reasoning_tokens: int | None
    created_at: datetime
    tool_calls: list[dict[str, Any]]
    sent: SentPromptRead
    provenance: OutputProvenance
    details: list[ScoreRead]


class ReplayComparison(Schema):
    """Whether a replay produced the same results as the original run."""

    is_identical: bool
    outputs_compared: int
    scores_compared: int
    differing_outputs: int
    differing_scores: int
    comparisons_compared: int
    differing_comparisons: int
