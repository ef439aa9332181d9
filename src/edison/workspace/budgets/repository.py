"""All SQL about the ledger."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice, Sorting, contains, paginate
from edison.workspace.budgets.models import EntryState, LedgerEntry

_SORTING = Sorting(
    columns={"created_at": LedgerEntry.created_at}, default="-created_at", id=LedgerEntry.id
)


class Ledger:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    def add(self, entry: LedgerEntry) -> None:
        self._session.add(entry)

    async def settle(self, entry_id: UUID, values: dict[str, Any]) -> None:
        await self._session.execute(
            update(LedgerEntry)
            .where(LedgerEntry.id == entry_id)
            .values(state=EntryState.SETTLED, **values)
        )

    async def give_up_on(self, *, made_before: datetime) -> None:
        await self._session.execute(
            update(LedgerEntry)
            .where(LedgerEntry.state == EntryState.RESERVED, LedgerEntry.created_at < made_before)
            .values(state=EntryState.UNCONFIRMED, cost_nanos=LedgerEntry.reserved_nanos)
        )

    async def list_of_project(self, project_id: UUID, *, page: PageRequest) -> Slice[LedgerEntry]:
        statement = select(LedgerEntry).where(LedgerEntry.project_id == project_id)
        if page.q is not None:
            statement = statement.where(contains(LedgerEntry.model, page.q))
        return await paginate(self._session, statement, page=page, sorting=_SORTING)
