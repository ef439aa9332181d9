"""Response bodies of model insight."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated
from uuid import UUID

from fastapi import Query

from edison.api.schema import Schema, Usd
from edison.pipeline.aggregate.advice import AdviceReason


@dataclass(frozen=True, slots=True, kw_only=True)
class InsightFilter:
    dataset_id: Annotated[UUID | None, Query(description="Only runs on this dataset")] = None
    days: Annotated[int, Query(ge=1, le=3650, description="Only runs of the last days")] = 90


@dataclass(frozen=True, slots=True, kw_only=True)
class RecommendFilter(InsightFilter):
    required_quality: Annotated[float, Query(ge=0, le=1, description="Mean score to reach")] = 0.8
    max_cost_usd: Annotated[
        Decimal | None, Query(ge=0, le=1_000_000, description="Per answer, in US dollars")
    ] = None


class InsightModelRead(Schema):
    """A model with results. The figures are those on the shared cases; for a model that is not
    compared, because it shares too few, they are null. `low` and `high` are the 95 % interval.
    """

    model_id: UUID
    name: str
    is_compared: bool
    is_simulated: bool
    cases: int
    score: float | None
    low: float | None
    high: float | None
    answer_usd: Usd | None
    mean_seconds: float | None


class ModelChoiceRead(Schema):
    """Which model to use, or why the data cannot tell. `model_id` is null then, and `leading_id` is
    the best by the figures alone; `undecided_ids` are not separated from it.

    `difference` is the mean score of `other_id` less that of `compared_id`, with its interval. For
    speed, `factor` is how many times as long the closest rival takes. For a required quality,
    `score` and its interval are the evidence.
    """

    model_id: UUID | None
    reason: AdviceReason
    cases: int
    leading_id: UUID | None
    undecided_ids: list[UUID]
    compared_id: UUID | None = None
    other_id: UUID | None = None
    difference: float | None = None
    score: float | None = None
    low: float | None = None
    high: float | None = None
    factor: float | None = None
    p_value: float | None = None


class ModelInsightRead(Schema):
    """Results of models pooled over `runs` finished runs. `cases` are those that all compared
    models have, with the same prompt versions and scorers. `older_runs` were left out, because
    there are too many.
    """

    runs: int
    older_runs: int
    cases: int
    models: list[InsightModelRead]
    most_accurate: ModelChoiceRead
    fastest: ModelChoiceRead
    best_value: ModelChoiceRead
