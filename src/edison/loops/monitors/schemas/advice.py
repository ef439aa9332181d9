"""Response bodies of the comparison of a monitor's models."""

from uuid import UUID

from edison.api.schema import Schema, Usd
from edison.pipeline.aggregate.advice import AdviceReason


class MonitoredModel(Schema):
    """Means over the checks. `month_usd` is the cost of a month of answers at the schedule."""

    key: str
    label: str
    model_id: UUID | None
    score: float | None
    p50_seconds: float | None
    p95_seconds: float | None
    answer_usd: Usd | None
    month_usd: Usd | None


class MonitoredAdvice(Schema):
    """`key` is null when the data cannot tell; `leading` then is the best by the figures alone, and
    `undecided` are the models that the evidence does not separate from it. `cases` are those that
    all models have; for the fastest model they are checks, and `factor` is the next model's seconds
    over its own.
    """

    key: str | None
    leading: str | None
    reason: AdviceReason
    cases: int
    undecided: list[str]
    factor: float | None


class MonitoredModelsAdvice(Schema):
    """`saving_month_usd` is what the best value would save a month, if it is proven as good as the
    most accurate model.
    """

    most_accurate: MonitoredAdvice
    fastest: MonitoredAdvice
    best_value: MonitoredAdvice
    saving_month_usd: Usd | None


class MonitoredModels(Schema):
    """`advice` is null without a measured check."""

    checks: int
    models: list[MonitoredModel]
    advice: MonitoredModelsAdvice | None
