"""Bodies of the budget routes, and what the ledger shows."""

from datetime import UTC, datetime, time, timedelta
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from edison.api.schema import Schema, Usd
from edison.kit import clock
from edison.kit.money import usd_from_nanos
from edison.workspace.budgets.models import Budget, EntryState, LedgerEntry, Period

Limit = Annotated[Usd, Field(examples=["100.00"])]
Threshold = Annotated[float, Field(ge=0, le=1, description="Share at which to warn")]


class BudgetRequest(Schema):
    """A limit on what the project may spend."""

    period: Period
    limit_usd: Limit
    alert_threshold: Threshold = 0.8


class BudgetChange(Schema):
    """Fields left out stay as they are."""

    limit_usd: Limit | None = None
    alert_threshold: Threshold | None = None


class BudgetRead(Schema):
    """`spent_usd` and `reserved_usd` together never pass the limit, unless it was lowered.
    `resets_at` is null for periods that do not end at once.
    """

    id: UUID
    scope: Literal["project", "experiment", "monitor", "optimizer"]
    scope_id: UUID
    period: Period
    limit_usd: Usd
    spent_usd: Usd
    reserved_usd: Usd
    alert_threshold: float
    state: Literal["open", "alert", "exhausted"]
    resets_at: datetime | None
    created_at: datetime
    updated_at: datetime

    @classmethod
    def of(cls, budget: Budget) -> "BudgetRead":
        today = clock.now().date()
        is_daily = budget.period == Period.DAY
        spent = 0 if is_daily and budget.window_day < today else budget.spent_nanos
        midnight = datetime.combine(today + timedelta(days=1), time(), UTC)
        return cls(
            id=budget.id,
            scope=budget.scope,
            scope_id=budget.scope_id,
            period=Period(budget.period),
            limit_usd=usd_from_nanos(budget.limit_nanos),
            spent_usd=usd_from_nanos(spent),
            reserved_usd=usd_from_nanos(budget.reserved_nanos),
            alert_threshold=budget.alert_threshold,
            state=_state(budget, spent),
            resets_at=midnight if is_daily else None,
            created_at=budget.created_at,
            updated_at=budget.updated_at,
        )


def _state(budget: Budget, spent_nanos: int) -> Literal["open", "alert", "exhausted"]:
    if spent_nanos >= budget.limit_nanos:
        return "exhausted"
    return "alert" if spent_nanos >= budget.alert_threshold * budget.limit_nanos else "open"


class LedgerEntryRead(Schema):
    """One attempt to call a model. Amounts are null while no price is known."""

    id: UUID
    purpose: Annotated[str, Field(examples=["try"])]
    provider: str
    model: str
    attempt: int
    state: EntryState
    reserved_usd: Usd | None
    cost_usd: Usd | None
    input_tokens: int | None
    output_tokens: int | None
    cached_input_tokens: int | None
    reasoning_tokens: int | None
    is_estimated: bool
    price_version: str | None
    failure: str | None
    created_at: datetime
    settled_at: datetime | None

    @classmethod
    def of(cls, entry: LedgerEntry) -> "LedgerEntryRead":
        names = set(cls.model_fields) - {"reserved_usd", "cost_usd"}
        reserved, cost = (
            None if nanos is None else usd_from_nanos(nanos)
            for nanos in (entry.reserved_nanos, entry.cost_nanos)
        )
        return cls(
            **{name: getattr(entry, name) for name in names}, reserved_usd=reserved, cost_usd=cost
        )
