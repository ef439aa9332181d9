"""Leave to spend money at all, asked for in the transaction that reserves it."""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

Check = Callable[[AsyncSession, Collection[UUID]], Awaitable[Collection[UUID]]]
"""Which of these subjects may go on spending. Whoever takes leave away must wait for, or be seen
by, the transaction that asks: the check locks the rows it goes by.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Permit:
    """Money is set aside only while `check` answers for `subject_id`, such as a run at work. Calls
    with the same check are asked about together.
    """

    check: Check
    subject_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCharge:
    """What an entry adds to the cost of its run, less where a charge was corrected.
    `unconfirmed_nanos` is the part of it that nobody has confirmed.
    """

    run_id: UUID
    purpose: str
    cost_nanos: int
    unconfirmed_nanos: int
