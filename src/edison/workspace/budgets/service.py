"""Minds the money: every attempt to call a model is written down before it leaves."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.db.session import Database
from edison.kit import clock, ids
from edison.pipeline.generate.path.ports import Intent, Settlement
from edison.workspace.budgets.models import EntryState, LedgerEntry
from edison.workspace.budgets.repository import Ledger


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerTill:
    """The call path's till, for the calls one project makes for one purpose.

    Each step is a short transaction of its own, as nothing may be held open during a call.
    """

    database: Database
    project_id: UUID
    purpose: str

    async def reserve(self, intent: Intent) -> "LedgerReservation":
        entry = LedgerEntry(
            id=ids.new_id(),
            project_id=self.project_id,
            purpose=self.purpose,
            provider=intent.provider,
            model=intent.model,
            attempt=intent.attempt,
            state=EntryState.RESERVED,
            reserved_nanos=intent.worst_case_nanos,
            is_estimated=False,
            price_version=intent.price_version,
            created_at=clock.now(),
        )
        async with self.database.write() as session:
            Ledger(session).add(entry)
        return LedgerReservation(database=self.database, entry_id=entry.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerReservation:
    database: Database
    entry_id: UUID

    async def settle(self, settlement: Settlement) -> None:
        usage = settlement.usage
        values: dict[str, object] = {
            "cost_nanos": settlement.cost_nanos,
            "failure": settlement.failure,
            "settled_at": clock.now(),
        }
        if usage is not None:
            values |= {
                "input_tokens": usage.input_tokens,
                "output_tokens": usage.output_tokens,
                "cached_input_tokens": usage.cached_input_tokens,
                "reasoning_tokens": usage.reasoning_tokens,
                "is_estimated": usage.is_estimated,
            }
        async with self.database.write() as session:
            await Ledger(session).settle(self.entry_id, values)


async def list_entries(
    session: AsyncSession, *, project_id: UUID, page: PageRequest
) -> Slice[LedgerEntry]:
    return await Ledger(session).list_of_project(project_id, page=page)


async def give_up_on_unsettled(session: AsyncSession, *, made_before: datetime) -> None:
    """Count attempts whose process died as if they had cost all that was set aside."""
    await Ledger(session).give_up_on(made_before=made_before)
