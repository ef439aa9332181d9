"""Query and response bodies of boards."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from edison.api.schema import Schema, Usd
from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.aggregate.board import BoardDecision

MOST_DATASETS = 20

BoardFormat = Literal["csv", "md", "pdf"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardFilter:
    """Selects the runs and cases of a board; conditions are combined with AND."""

    dataset_id: Annotated[
        list[UUID],
        Field(min_length=1, max_length=MOST_DATASETS, description="One or several datasets"),
    ]
    scorer_set: Annotated[
        str | None,
        Field(max_length=40, description="Key of a scorer set; by default the most used one"),
    ] = None
    tag: Annotated[str | None, Field(max_length=100, description="Only cases with this tag")] = None
    difficulty: Annotated[int | None, Field(ge=1, le=5)] = None
    since: Annotated[
        datetime | None, Field(description="Only runs created at or after this time")
    ] = None
    until: Annotated[datetime | None, Field(description="Only runs created before this time")] = (
        None
    )


class BoardDatasetRead(Schema):
    """A dataset with completed runs."""

    dataset_id: UUID
    name: str
    cases: int
    runs: int
    models: int
    last_run_at: datetime


class BoardScorerRead(Schema):
    """A scorer of a scorer set."""

    kind: str
    label: str
    weight: float


class ScorerSetRead(Schema):
    """Scorers that runs share. Runs of different sets are not on one board, because their scores
    mean different things.
    """

    key: str
    scorers: list[BoardScorerRead]
    runs: int


class BoardRatingRead(Schema):
    """Rating from pairwise comparisons: 1000 is the average, 400 more mean ten wins per loss. `low`
    and `high` are the 95 % interval.
    """

    points: float
    low: float | None
    high: float | None
    comparisons: int


class BoardRow(Schema):
    """A model on the board. `rank_best` and `rank_worst` are the range of ranks that the paired
    tests allow; null without a score, or if the model is not compared because it shares too few
    cases. Figures of compared models are those on the shared cases.

    `people` is the rating by the votes of closed rounds, `judges` that by pairwise judges.
    `is_own_judge`: a judge of the board is of the model's family, which it may prefer.
    """

    model_id: UUID
    name: str
    family: str
    is_simulated: bool
    is_compared: bool
    rank_best: int | None
    rank_worst: int | None
    score: float | None
    score_low: float | None
    score_high: float | None
    people: BoardRatingRead | None
    judges: BoardRatingRead | None
    pass_rate: float | None
    answer_usd: Usd | None
    p50_seconds: float | None
    p95_seconds: float | None
    answers: int
    failures: int
    cases: int
    is_on_front: bool
    is_own_judge: bool


class BoardHeadline(Schema):
    """What the board shows. `leading_id` has the highest score; `tied_ids` are not separated from
    it. `cheapest_id` is the cheapest of them, if it costs less than the leading one: `saving` is
    the share saved. `difference` is the score of `leading_id` less that of its closest rival, with
    its interval and the corrected p-value.
    """

    decision: BoardDecision
    cases: int
    leading_id: UUID | None
    tied_ids: list[UUID]
    cheapest_id: UUID | None
    saving: float | None
    rival_id: UUID | None
    difference: float | None
    low: float | None
    high: float | None
    p_value: float | None


class BoardRead(Schema):
    """Results of models on datasets, pooled over `runs` completed runs by the content of cases.
    `cases` are those that all compared models have, of `all_cases`. `older_runs` were left out,
    because there are too many. `tags` and `difficulties` are those of the cases, for filters.
    """

    dataset_ids: list[UUID]
    scorer_set: str | None
    scorer_sets: list[ScorerSetRead]
    runs: int
    older_runs: int
    cases: int
    all_cases: int
    tags: list[str]
    difficulties: list[int]
    headline: BoardHeadline
    rows: list[BoardRow]
