"""All SQL that posts to the ledger, for many entries at a time."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Table,
    bindparam,
    insert,
    literal_column,
    or_,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.membership import is_among
from edison.db.prepared import Prepared
from edison.jobs.models import WorkerProcess
from edison.workspace.budgets.models import EntryState, LedgerEntry

_TABLE = cast(Table, LedgerEntry.__table__)
_SETTLED_COLUMNS = (
    "cost_nanos",
    "failure",
    "settled_at",
    "input_tokens",
    "output_tokens",
    "cached_input_tokens",
    "reasoning_tokens",
    "is_estimated",
)
# Those that a new entry leaves empty.
_LATER_COLUMNS = frozenset(_SETTLED_COLUMNS) - {"is_estimated"}
_SETTLE = Prepared(
    lambda _: (
        update(_TABLE)
        .where(_TABLE.c.id == bindparam("entry_id"))
        .values(
            state=literal_column(f"'{EntryState.SETTLED}'"),
            **{
                name: bindparam(f"new_{name}", type_=_TABLE.c[name].type)
                for name in _SETTLED_COLUMNS
            },
        )
    )
)
_ADD = Prepared(
    lambda _: insert(_TABLE),
    columns=[column.name for column in _TABLE.c if column.name not in _LATER_COLUMNS],
)
_POSTED = Prepared(
    lambda dialect: (
        select(
            _TABLE.c.id,
            _TABLE.c.state,
            _TABLE.c.reserved_nanos,
            _TABLE.c.cost_nanos,
            _TABLE.c.budget_ids,
        )
        .where(is_among(dialect, _TABLE.c.id, "entry_ids"))
        .order_by(_TABLE.c.id)
        .with_for_update()
    )
)


@dataclass(slots=True, kw_only=True)
class Posted:
    """An entry as it stands, as far as budgets are concerned."""

    state: str
    reserved_nanos: int
    cost_nanos: int
    budget_ids: tuple[UUID, ...]


class Entries:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def add(self, rows: Sequence[Mapping[str, Any]]) -> None:
        await _ADD.run(self._session, rows)

    async def lock(self, entry_ids: Collection[UUID]) -> dict[UUID, Posted]:
        """In one order, so that two who lock several never wait for each other."""
        found = await _POSTED.fetch(self._session, entry_ids=entry_ids)
        return {
            entry_id: Posted(
                state=state,
                reserved_nanos=reserved or 0,
                cost_nanos=cost or 0,
                budget_ids=tuple(map(UUID, budget_ids)),
            )
            for entry_id, state, reserved, cost, budget_ids in found
        }

    async def settle(self, changes: Mapping[UUID, Mapping[str, Any]]) -> None:
        await _SETTLE.run(
            self._session,
            [
                {"entry_id": entry_id, **{f"new_{name}": value for name, value in values.items()}}
                for entry_id, values in changes.items()
            ],
        )

    async def give_up_on_process(self, process_id: UUID) -> Sequence[Posted]:
        return await self._give_up(LedgerEntry.process_id == process_id)

    async def give_up_on_orphans(self) -> Sequence[Posted]:
        """What was reserved by processes that are no longer listed."""
        listed = select(WorkerProcess.id).where(WorkerProcess.id == LedgerEntry.process_id)
        return await self._give_up(or_(LedgerEntry.process_id.is_(None), ~listed.exists()))

    async def _give_up(self, whose: ColumnElement[bool]) -> Sequence[Posted]:
        """The entries as they were before."""
        found = await self._session.execute(
            update(LedgerEntry)
            .where(LedgerEntry.state == EntryState.RESERVED, whose)
            .values(state=EntryState.UNCONFIRMED, cost_nanos=LedgerEntry.reserved_nanos)
            .returning(LedgerEntry.reserved_nanos, LedgerEntry.budget_ids)
            .execution_options(synchronize_session=False)
        )
        return [
            Posted(
                state=EntryState.RESERVED,
                reserved_nanos=reserved or 0,
                cost_nanos=0,
                budget_ids=tuple(map(UUID, budget_ids)),
            )
            for reserved, budget_ids in found
        ]
