"""In which order rows of a run are shown."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, func, select
from sqlalchemy.orm import InstrumentedAttribute

from edison.runs.engine.models import Output, RunCase
from edison.runs.engine.repository.effective import effective_score
from edison.runs.engine.schemas.requests import RowOrder

_FIGURES: Mapping[str, ColumnElement[Any] | InstrumentedAttribute[Any]] = {
    "grade": effective_score,
    "tokens": Output.input_tokens + Output.output_tokens,
    "cost": Output.cost_nanos,
    "latency": Output.latency_seconds,
}


def in_order(run_id: UUID, order: RowOrder | None, conditions: Sequence[Any]) -> Select[int]:
    """Positions of the rows that match. By a figure of one variant, the mean over its repeats
    counts; rows without it come last in both directions.
    """
    statement = select(RunCase.position).where(RunCase.run_id == run_id, *conditions)
    if order is None:
        return statement.order_by(RunCase.position)
    means = (
        select(Output.case_position, func.avg(_FIGURES[order.figure]).label("mean"))
        .where(Output.run_id == run_id, Output.variant_position == order.variant)
        .group_by(Output.case_position)
        .subquery()
    )
    mean = means.c.mean
    return statement.outerjoin(means, means.c.case_position == RunCase.position).order_by(
        mean.is_(None), mean.desc() if order.is_falling else mean, RunCase.position
    )
