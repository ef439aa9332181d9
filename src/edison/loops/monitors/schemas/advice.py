"""Response bodies of the comparison of a monitor's models."""

from uuid import UUID

from edison.api.schema import Schema, Usd
from edison.runs.insight.schemas import ModelChoiceRead


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


class MonitoredModelsAdvice(Schema):
    """`saving_month_usd` is what the best value would save a month, if it is proven as good as the
    most accurate model.
    """

    most_accurate: ModelChoiceRead
    fastest: ModelChoiceRead
    best_value: ModelChoiceRead
    saving_month_usd: Usd | None


class MonitoredModels(Schema):
    """`advice` is null without a measured check."""

    checks: int
    models: list[MonitoredModel]
    advice: MonitoredModelsAdvice | None
