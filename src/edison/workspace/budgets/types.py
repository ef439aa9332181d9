"""Types that the ledger shares with runs: permits to spend, and charges."""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

Check = Callable[[AsyncSession, Collection[UUID]], Awaitable[Collection[UUID]]]
"""Returns the subjects that may still spend. Locks the rows it reads, so that revoking permission
and reserving money are serialised.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Permit:
    """Money is reserved only while `check` returns `subject_id`, such as an active run. Calls with
    the same check share one query.
    """

    check: Check
    subject_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCharge:
    """What an entry adds to the cost of its run; negative when a charge was corrected.
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
