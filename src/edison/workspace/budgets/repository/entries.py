"""Queries that write ledger entries in bulk."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from sqlalchemy import ColumnElement, Table, bindparam, delete, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.base import UtcDateTime
from edison.db.membership import is_among
from edison.db.prepared import Columns, Prepared
from edison.jobs.models import WorkerProcess
from edison.kit.fast_frozen import fast_frozen
from edison.kit.lazy_dataclasses import dataclass
from edison.workspace.budgets.models import EntryState, LedgerEntry

# `failure` of an attempt that was never sent.
NEVER_LEFT = "cancelled"

_TABLE = cast(Table, LedgerEntry.__table__)
_CHARGED_COLUMNS = (
    "state",
    "cost_nanos",
    "failure",
    "settled_at",
    "input_tokens",
    "output_tokens",
    "cached_input_tokens",
    "reasoning_tokens",
    "is_estimated",
)
# Columns that a new entry leaves to their defaults.
_LATER_COLUMNS = frozenset(_CHARGED_COLUMNS) - {"state", "is_estimated"} | {"note", "calls"}
_CHARGE = (
    update(_TABLE)
    .where(_TABLE.c.id == bindparam("entry_id"))
    .values(
        {name: bindparam(f"new_{name}", type_=_TABLE.c[name].type) for name in _CHARGED_COLUMNS}
    )
)
_CHARGE_LOCKED = Prepared(lambda _: _CHARGE)
_CHARGE_RESERVED = Prepared(lambda _: _CHARGE.where(_TABLE.c.state == EntryState.RESERVED))
_MARK_SENT = Prepared(
    lambda _: (
        update(_TABLE)
        .where(_TABLE.c.id == bindparam("entry_id"))
        .values(left_at=bindparam("new_left_at", type_=UtcDateTime()))
    )
)
_REMOVE = Prepared(lambda _: delete(_TABLE).where(_TABLE.c.id == bindparam("entry_id")))
_ADD = Prepared(
    lambda _: insert(_TABLE),
    columns=[column.name for column in _TABLE.c if column.name not in _LATER_COLUMNS],
)
_READ = (
    _TABLE.c.state,
    _TABLE.c.reserved_nanos,
    _TABLE.c.cost_nanos,
    _TABLE.c.budget_ids,
    _TABLE.c.run_id,
    _TABLE.c.purpose,
)
_LOCK = Prepared(
    lambda dialect: (
        select(_TABLE.c.id, *_READ)
        .where(is_among(dialect, _TABLE.c.id, "entry_ids"))
        .order_by(_TABLE.c.id)
        .with_for_update()
    )
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Payer:
    """What the cost of calls counts in: budgets and a run. Entries that were reserved together
    share one payer, by which they are summed: it is equal to itself only.
    """

    budget_ids: tuple[UUID, ...]
    run_id: UUID | None
    purpose: str


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class EntrySnapshot:
    """The columns of an entry that budgets and runs need."""

    state: str
    reserved_nanos: int
    cost_nanos: int
    payer: Payer


class Entries:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def add(self, rows: Columns) -> None:
        await _ADD.insert(self._session, rows)

    async def lock(self, entry_ids: Collection[UUID]) -> dict[UUID, EntrySnapshot]:
        """Locks in id order, so concurrent transactions cannot deadlock."""
        found = await _LOCK.fetch(self._session, entry_ids=entry_ids)
        return {entry_id: _snapshot(*values) for entry_id, *values in found}

    async def charge(self, charged: Sequence[Mapping[str, Any]]) -> None:
        """Each has an `entry_id`, and the new values of the columns as `new_state` and so on. They
        must be locked.
        """
        await _CHARGE_LOCKED.run(self._session, charged)

    async def charge_reserved(self, charged: Sequence[Mapping[str, Any]]) -> Sequence[bool]:
        """The same for entries that need not be locked: charges those that are still reserved.
        Returns which. None on PostgreSQL, where this would lock them out of order.
        """
        if self._session.get_bind().dialect.name != "sqlite":
            return [False] * len(charged)
        return list(map(bool, await _CHARGE_RESERVED.count_changes(self._session, charged)))

    async def remove(self, entry_ids: Collection[UUID]) -> None:
        """Only those that this transaction added: others are the record of a call."""
        await _REMOVE.run(self._session, [{"entry_id": each} for each in entry_ids])

    async def mark_sent(self, times: Mapping[UUID, datetime]) -> None:
        await _MARK_SENT.run(
            self._session,
            [{"entry_id": entry_id, "new_left_at": at} for entry_id, at in times.items()],
        )

    async def find_in_project(self, project_id: UUID, entry_id: UUID) -> LedgerEntry | None:
        """Locks the entry."""
        return await self._session.scalar(
            select(LedgerEntry)
            .where(LedgerEntry.project_id == project_id, LedgerEntry.id == entry_id)
            .with_for_update()
            .execution_options(populate_existing=True)
        )

    async def resolve(self, entry_id: UUID, values: Mapping[str, Any]) -> bool:
        """Close an unconfirmed entry; False when it is no longer unconfirmed."""
        resolved = await self._session.scalar(
            update(LedgerEntry)
            .where(LedgerEntry.id == entry_id, LedgerEntry.state == EntryState.UNCONFIRMED)
            .values(**values)
            .returning(LedgerEntry.id)
            .execution_options(synchronize_session=False)
        )
        return resolved is not None

    async def reap_process(self, process_id: UUID, *, at: datetime) -> Sequence[EntrySnapshot]:
        return await self._reap(LedgerEntry.process_id == process_id, at)

    async def reap_orphans(self, *, at: datetime) -> Sequence[EntrySnapshot]:
        """Reap reservations of processes that are no longer registered."""
        listed = select(WorkerProcess.id).where(WorkerProcess.id == LedgerEntry.process_id)
        return await self._reap(or_(LedgerEntry.process_id.is_(None), ~listed.exists()), at)

    async def _reap(self, whose: ColumnElement[bool], at: datetime) -> Sequence[EntrySnapshot]:
        """Returns the entries in their new state: released if never sent, else unconfirmed. Their
        budgets still hold the reservations.
        """
        released = {"state": EntryState.RELEASED, "cost_nanos": 0, "failure": NEVER_LEFT}
        unconfirmed = {
            "state": EntryState.UNCONFIRMED,
            "cost_nanos": LedgerEntry.reserved_nanos,
        }
        entries: list[EntrySnapshot] = []
        for is_meant, values in (
            (LedgerEntry.left_at.is_(None), released),
            (LedgerEntry.left_at.is_not(None), unconfirmed),
        ):
            found = await self._session.execute(
                update(LedgerEntry)
                .where(LedgerEntry.state == EntryState.RESERVED, is_meant, whose)
                .values(**values, settled_at=at)
                .returning(*_READ)
                .execution_options(synchronize_session=False)
            )
            entries += [_snapshot(*row) for row in found]
        return entries


def _snapshot(
    state: str,
    reserved: int | None,
    cost: int | None,
    budget_ids: Sequence[str],
    run_id: UUID | None,
    purpose: str,
) -> EntrySnapshot:
    return EntrySnapshot(
        state=state,
        reserved_nanos=reserved or 0,
        cost_nanos=cost or 0,
        payer=Payer(
            budget_ids=tuple(map(UUID, budget_ids)),
            run_id=run_id,
            purpose=purpose,
        ),
    )
