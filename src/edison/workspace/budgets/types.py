"""Types that other slices share: permits to spend, charges, and the budget alert."""

from collections.abc import Awaitable, Callable, Collection
from decimal import Decimal
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.schema import Schema, Usd
from edison.kit.fast_frozen import fast_frozen
from edison.kit.lazy_dataclasses import dataclass
from edison.workspace.budgets.models import Period
from edison.workspace.notifications.types import NotificationKind


class BudgetFacts(Schema):
    """The state of a budget in a message. `scope_name` is null for the whole project."""

    scope: str
    scope_name: str | None
    period: str
    spent_usd: Usd
    limit_usd: Usd


BUDGET_ALERT = NotificationKind(
    key="budget_alert",
    label="Budget alert",
    hint="A budget reached its alert threshold or paused an iteration.",
    tone="warning",
    icon="budget",
    by_email=True,
    facts=BudgetFacts,
)

Check = Callable[[AsyncSession, Collection[UUID]], Awaitable[Collection[UUID]]]
"""Returns the subjects that may still spend. Locks the rows it reads, so that revoking permission
and reserving money are serialised.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts:
    """What a report says about a run. `origin` is what started it, such as `monitor`."""

    name: str
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Permit:
    """Money is reserved only while `check` returns `subject_id`, such as an active run. Calls with
    the same check share one query.
    """

    check: Check
    subject_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LedgerAccount:
    """What calls are charged to. `scope_ids` name further budgets, such as an experiment's. With a
    `permit`, reservations raise NotPermitted unless it holds. Calls of a wave share one account,
    by which their reservations are grouped: it is equal to itself only.
    """

    project_id: UUID
    purpose: str
    scope_ids: tuple[UUID, ...] = ()
    run_id: UUID | None = None
    permit: Permit | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """The least that work needs of a budget, in real and in simulated dollars; None: it makes no
    such calls. `unpriced` names its models without a known price, whose calls no budget admits.
    """

    real_nanos: int | None = 0
    simulated_nanos: int | None = None
    unpriced: tuple[str, ...] = ()

    def from_budget(self, *, counts_simulated: bool) -> int | None:
        """None: the work does not concern the budget."""
        parts = (self.real_nanos, self.simulated_nanos if counts_simulated else None)
        counted = [part for part in parts if part is not None]
        return sum(counted) if counted else None


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetLeft:
    """A budget in reach of some work, and what is left of it today."""

    id: UUID
    name: str
    period: str
    counts_simulated: bool
    limit_nanos: int
    left_nanos: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CallUsage:
    """What a charged call was counted, billed, and how long it took."""

    counted_tokens: int | None
    input_tokens: int | None
    output_tokens: int | None
    cached_input_tokens: int | None
    seconds: float


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class RunCharge:
    """What entries add to the cost of their run; negative when a charge was corrected.
    `unconfirmed_nanos` is the unconfirmed part.
    """

    run_id: UUID
    purpose: str
    cost_nanos: int
    unconfirmed_nanos: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeBalance:
    """The budget of a scope: its limit, and what counts against it now."""

    limit_nanos: int
    spent_nanos: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeLimit:
    """What a scope may cost in a period; None is no limit.

    `counts_simulated`: simulated dollars count. They do in a scope all of whose models are
    simulated, because its budget would never move otherwise; next to real dollars they do not.
    None keeps what a budget that exists does.
    """

    limit_usd: Decimal | None
    period: Period = Period.TOTAL
    alert_threshold: float = 0.8
    counts_simulated: bool | None = None
