"""Response bodies of model insight."""

from decimal import Decimal
from typing import Annotated
from uuid import UUID

from pydantic import Field

from edison.api.schema import Schema, Usd
from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.aggregate.advice import AdviceReason


@dataclass(frozen=True, slots=True, kw_only=True)
class InsightFilter:
    dataset_id: Annotated[UUID | None, Field(description="Only runs on this dataset")] = None
    days: Annotated[int, Field(ge=1, le=3650, description="Only runs of the last days")] = 90


@dataclass(frozen=True, slots=True, kw_only=True)
class RecommendFilter(InsightFilter):
    required_quality: Annotated[float, Field(ge=0, le=1, description="Mean score to reach")] = 0.8
    max_cost_usd: Annotated[
        Decimal | None,
        Field(ge=0, le=1_000_000, decimal_places=9, description="Per answer, in US dollars"),
    ] = None


class InsightModelRead(Schema):
    """A model with results. The figures are those on the shared cases; for a model that is not
    compared, because it shares too few, they are null. `low` and `high` are the 95 % interval.
    """

    key: str
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
    """Which model to use, or why the data cannot tell. Models are named by the keys of the list
    that the choice is from. `key` is null when the data cannot tell; `leading` then is the best by
    the figures alone, and `undecided` are the models that the evidence does not separate from it.
    `cases` are those that all models have; for speed in a monitor they are its checks.

    `difference` is the mean score of `other` less that of `compared`, with its interval. For
    speed, `factor` is how many times as long the closest rival takes. For a required quality,
    `score` and its interval are the evidence.
    """

    key: str | None
    reason: AdviceReason
    cases: int
    leading: str | None
    undecided: list[str]
    compared: str | None
    other: str | None
    difference: float | None
    score: float | None
    low: float | None
    high: float | None
    factor: float | None
    p_value: float | None


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
