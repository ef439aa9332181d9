"""Schemas of the ledger, its filters and sums, and of budgets. Days are UTC days."""

from datetime import date, datetime, timedelta
from typing import Annotated, Literal
from uuid import UUID

from pydantic import AfterValidator, Field, StringConstraints

from edison.api.schema import CleanText, Schema, Usd, without_control_characters
from edison.kit import clock
from edison.kit.lazy_dataclasses import dataclass
from edison.kit.money import usd_from_nanos
from edison.workspace.budgets.models import Budget, EntryState, LedgerEntry, Period, Scope

SpendingBy = Literal["day", "model", "purpose", "run", "origin"]


def _in_this_age(day: date) -> date:
    if not 2000 <= day.year < 3000:
        raise ValueError("must be a day between 2000 and 2999")
    return day


Day = Annotated[date, AfterValidator(_in_this_age)]
Word = Annotated[CleanText, Field(max_length=300)]


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerFilter:
    """Filters of ledger entries; all given conditions must hold."""

    purpose: Annotated[Word | None, Field(description="What asked for the call: `try`")] = None
    provider: Annotated[Word | None, Field(description="Exactly this provider")] = None
    model: Annotated[Word | None, Field(description="Exactly this model of a provider")] = None
    run_id: Annotated[UUID | None, Field(description="Calls made for this run")] = None
    state: EntryState | None = None
    first_day: Annotated[Day | None, Field(alias="from", description="From this day on")] = None
    last_day: Annotated[Day | None, Field(alias="to", description="Up to and with this day")] = None


class LedgerEntryRead(Schema):
    """One attempt to call a model. Amounts are null when no price is known."""

    id: UUID
    created_at: datetime
    left_at: Annotated[datetime | None, Field(description="When the request was about to go out")]
    settled_at: Annotated[datetime | None, Field(description="When the charge was booked")]
    state: EntryState
    purpose: Annotated[str, Field(examples=["try"])]
    run_id: UUID | None
    provider: str
    model: str
    attempt: int
    calls: Annotated[
        int, Field(description="1, or what a sum stands for whose run was deleted as too old")
    ]
    reserved_usd: Usd | None
    cost_usd: Usd | None
    input_tokens: int | None
    output_tokens: int | None
    cached_input_tokens: int | None
    reasoning_tokens: int | None
    is_estimated: bool
    is_simulated: Annotated[bool, Field(description="Its dollars are not real")]
    is_unanswered: Annotated[
        bool, Field(description="Charged without an answer: the provider may bill what it lost")
    ]
    price_version: str | None
    failure: str | None
    note: Annotated[str | None, Field(description="Why an unconfirmed charge was changed")]

    @classmethod
    def of(cls, entry: LedgerEntry) -> "LedgerEntryRead":
        names = set(cls.model_fields) - {"reserved_usd", "cost_usd", "is_unanswered"}
        reserved, cost = (
            None if nanos is None else usd_from_nanos(nanos)
            for nanos in (entry.reserved_nanos, entry.cost_nanos)
        )
        return cls(
            **{name: getattr(entry, name) for name in names},
            reserved_usd=reserved,
            cost_usd=cost,
            is_unanswered=entry.state == EntryState.SETTLED
            and entry.failure is not None
            and bool(entry.cost_nanos),
        )


Note = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=10, max_length=500),
    AfterValidator(without_control_characters),
    Field(description="Why, for the audit log", examples=["Checked with the invoice of May."]),
]


class VoidRequest(Schema):
    """Voids an unconfirmed charge."""

    note: Note


class SettleRequest(VoidRequest):
    """Replaces an unconfirmed charge by the actual cost. An amount above the reservation is refused
    unless `is_above_reservation_confirmed`.
    """

    amount_usd: Usd
    is_above_reservation_confirmed: bool = False


class LedgerTotals(Schema):
    """Sums over the matching entries. `cost_usd` excludes open reservations and simulated calls,
    and includes unconfirmed charges at their reservation. `simulated_usd` is what simulated calls
    would have cost. `unpriced_calls` counts ended calls without a known price; `unanswered_usd` was
    charged for calls that ended without an answer.
    """

    calls: int
    failed_calls: int
    unpriced_calls: int
    cost_usd: Usd
    simulated_usd: Usd
    unanswered_calls: int
    unanswered_usd: Usd
    reserved_usd: Usd
    unconfirmed_calls: int
    unconfirmed_usd: Usd
    input_tokens: int
    output_tokens: int


class LedgerFacets(Schema):
    """The values by which the project's ledger can be filtered."""

    purposes: Annotated[list[str], Field(examples=[["generate", "try"]])]
    providers: Annotated[list[str], Field(examples=[["openai"]])]
    models: Annotated[list[str], Field(examples=[["gpt-4o", "gpt-4o-mini"]])]


class SpendingSeries(Schema):
    """Daily cost of one group. `name` is null for the sum of all remaining groups."""

    name: Annotated[str | None, Field(examples=["gpt-4o"])]
    is_simulated: bool
    total_usd: Usd
    costs_usd: Annotated[list[Usd], Field(description="One amount per day of `days`")]


class SpendingGroup(Schema):
    """Cost and tokens of one group in the whole period. `name` is null for all calls together, for
    calls outside of runs, and for deleted runs, which have a `run_id`. For origins, it is the key
    of what started the runs, such as `monitor`, or `outside` and `deleted`.
    """

    name: str | None
    run_id: UUID | None
    is_simulated: bool
    calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: Usd


class SpendingRead(Schema):
    """Most expensive series first; days without cost are included. `total_usd` is without simulated
    calls. `groups` are the most expensive ones, many more than `series`.
    """

    by: SpendingBy
    days: list[date]
    total_usd: Usd
    simulated_usd: Usd
    series: list[SpendingSeries]
    groups: list[SpendingGroup]


Limit = Annotated[Usd, Field(examples=["100.00"])]
Threshold = Annotated[float, Field(ge=0, le=1, description="Share at which to warn")]
CountsSimulated = Annotated[
    bool, Field(description="Dollars of simulated models count too; otherwise they never do")
]
BudgetState = Literal["open", "alert", "exhausted"]


class BudgetRequest(Schema):
    """A spending limit for the project or a part of it. `scope` defaults to the project; any other
    scope needs a `scope_id`.
    """

    scope: Scope = Scope.PROJECT
    scope_id: UUID | None = None
    period: Period
    limit_usd: Limit
    alert_threshold: Threshold = 0.8
    counts_simulated: CountsSimulated = False


class BudgetChange(Schema):
    """Fields left out are not changed."""

    limit_usd: Limit | None = None
    alert_threshold: Threshold | None = None
    counts_simulated: CountsSimulated | None = None


class BudgetRead(Schema):
    """`spent_usd` plus `reserved_usd` never exceeds the limit, unless the limit was lowered.
    `resets_at` is null for periods without a reset. `scope_name` is null for the project and for
    deleted scopes.
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
    counts_simulated: bool
    state: BudgetState
    resets_at: datetime | None
    created_at: datetime
    updated_at: datetime

    @classmethod
    def of(cls, budget: Budget, *, spent_nanos: int, scope_name: str | None) -> "BudgetRead":
        """`spent_nanos` is the amount that counts today; the row may be of an earlier day."""
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
            counts_simulated=budget.counts_simulated,
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
    """The budget nearest to its limit; null when the project has no budgets."""

    state: Annotated[
        BudgetState | Literal["unlimited"], Field(description="`unlimited` without any budget")
    ]
    budget: BudgetRead | None


class BurnPoint(Schema):
    """Amount counted against the limit at a point in time."""

    at: datetime
    spent_usd: Usd


class BurnDownRead(Schema):
    """Usage of a budget over time.

    `points` run from the start of the chart to now: hourly for a daily budget, daily otherwise.
    `projection` continues from now at the current rate: that of the last seven days, or of today
    for a daily budget. `used_up_at` is when the limit was or will be reached; null when that is not
    within a year or not before the budget resets.
    """

    budget: BudgetRead
    step: Literal["hour", "day"]
    points: list[BurnPoint]
    projection: list[BurnPoint]
    usd_per_day: Usd
    used_up_at: datetime | None
