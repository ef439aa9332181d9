"""Bodies of the budget routes, and how much of a budget is used."""

from datetime import datetime, timedelta
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from edison.api.schema import Schema, Usd
from edison.kit import clock
from edison.kit.money import usd_from_nanos
from edison.workspace.budgets.models import Budget, Period, Scope

Limit = Annotated[Usd, Field(examples=["100.00"])]
Threshold = Annotated[float, Field(ge=0, le=1, description="Share at which to warn")]
BudgetState = Literal["open", "alert", "exhausted"]


class BudgetRequest(Schema):
    """A limit on what the project, or one thing in it, may spend. Without `scope` it is the
    project; any other scope needs a `scope_id`.
    """

    scope: Scope = Scope.PROJECT
    scope_id: UUID | None = None
    period: Period
    limit_usd: Limit
    alert_threshold: Threshold = 0.8


class BudgetChange(Schema):
    """Fields left out stay as they are."""

    limit_usd: Limit | None = None
    alert_threshold: Threshold | None = None


class BudgetRead(Schema):
    """`spent_usd` and `reserved_usd` together never pass the limit, unless it was lowered.
    `resets_at` is null for periods that do not end at once; `scope_name` is null for the project,
    and for what is gone.
    """

    id: UUID
    scope: Scope
    scope_id: UUID
    scope_name: str | None
    period: Period
    limit_usd: Usd
    spent_usd: Usd
    reserved_usd: Usd
    alert_threshold: float
    state: BudgetState
    resets_at: datetime | None
    created_at: datetime
    updated_at: datetime

    @classmethod
    def of(cls, budget: Budget, *, spent_nanos: int, scope_name: str | None) -> "BudgetRead":
        """`spent_nanos` is what counts today, which the row may not know yet."""
        today = clock.now().date()
        tomorrow = clock.midnight(today + timedelta(days=1))
        return cls(
            id=budget.id,
            scope=Scope(budget.scope),
            scope_id=budget.scope_id,
            scope_name=scope_name,
            period=Period(budget.period),
            limit_usd=usd_from_nanos(budget.limit_nanos),
            spent_usd=usd_from_nanos(spent_nanos),
            reserved_usd=usd_from_nanos(budget.reserved_nanos),
            alert_threshold=budget.alert_threshold,
            state=_state(budget, spent_nanos),
            resets_at=tomorrow if budget.period == Period.DAY else None,
            created_at=budget.created_at,
            updated_at=budget.updated_at,
        )


def _state(budget: Budget, spent_nanos: int) -> BudgetState:
    if spent_nanos >= budget.limit_nanos:
        return "exhausted"
    is_reached = spent_nanos >= round(budget.alert_threshold * budget.limit_nanos)
    return "alert" if is_reached else "open"


class BudgetStateRead(Schema):
    """How the project stands: the budget that is nearest to its limit, null without any."""

    state: Annotated[
        BudgetState | Literal["unlimited"], Field(description="`unlimited` without any budget")
    ]
    budget: BudgetRead | None


class BurnPoint(Schema):
    """What counted against the limit at a moment."""

    at: datetime
    spent_usd: Usd


class BurnDownRead(Schema):
    """How a budget is being used up.

    `points` lead from the start of what is shown to now, by the hour for a day's budget and by the
    day for others. `projection` goes on from now at the current rate: that of the last seven days,
    or of today for a day's budget. `used_up_at` is when the limit was or would be reached; null
    when it would not be within a year, or before the budget resets.
    """

    budget: BudgetRead
    step: Literal["hour", "day"]
    points: list[BurnPoint]
    projection: list[BurnPoint]
    usd_per_day: Usd
    used_up_at: datetime | None
