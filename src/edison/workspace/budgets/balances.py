"""Budgets of one transaction: locked and read together, changed in memory, and written back with
compare-and-set on the amounts that were read.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import field
from datetime import date
from typing import Any, cast
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    Dialect,
    Executable,
    Select,
    Table,
    bindparam,
    or_,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db import upsert
from edison.db.base import UtcDateTime
from edison.db.membership import is_among
from edison.db.prepared import Prepared
from edison.kit import clock
from edison.kit.errors import Conflict
from edison.kit.lazy_dataclasses import dataclass
from edison.kit.money import usd_from_nanos
from edison.workspace.budgets import alerts
from edison.workspace.budgets.errors import BudgetExhausted, Shortage, budget_name
from edison.workspace.budgets.models import Budget, BudgetDay, EntryState, Period
from edison.workspace.budgets.repository.budgets import WINDOW, Budgets
from edison.workspace.budgets.repository.entries import EntrySnapshot, Payer
from edison.workspace.events import service as events

_BUDGETS = cast(Table, Budget.__table__)
_DAYS = cast(Table, BudgetDay.__table__)
# Columns that make up a balance, plus `window_day`, which shows whether the row is stale.
_READ = (
    "id",
    "project_id",
    "scope",
    "scope_id",
    "limit_nanos",
    "spent_nanos",
    "reserved_nanos",
    "alert_threshold",
    "alerted_on",
    "counts_simulated",
    "period",
    "window_day",
)


def _amounts(dialect: Dialect) -> Select[Any]:
    return (
        select(*(_BUDGETS.c[name] for name in _READ))
        .where(
            or_(
                is_among(dialect, _BUDGETS.c.id, "budget_ids"),
                is_among(dialect, _BUDGETS.c.scope_id, "scope_ids"),
            )
        )
        .order_by(_BUDGETS.c.id)
    )


_AMOUNTS = Prepared(_amounts)
_LOCKED_AMOUNTS = Prepared(lambda dialect: _amounts(dialect).with_for_update())
_REPLACE = Prepared(
    lambda _: (
        update(_BUDGETS)
        .where(
            _BUDGETS.c.id == bindparam("budget_id"),
            _BUDGETS.c.limit_nanos == bindparam("limit"),
            _BUDGETS.c.spent_nanos == bindparam("old_spent"),
            _BUDGETS.c.reserved_nanos == bindparam("old_reserved"),
        )
        .values(
            spent_nanos=bindparam("new_spent", type_=BigInteger()),
            reserved_nanos=bindparam("new_reserved", type_=BigInteger()),
            updated_at=bindparam("now", type_=UtcDateTime()),
        )
        .returning(_BUDGETS.c.id)
    )
)


def _add_to_day(dialect: Dialect) -> Executable:
    new = upsert.insert_for(dialect, _DAYS)
    return new.on_conflict_do_update(
        index_elements=["budget_id", "day"],
        set_={"spent_nanos": _DAYS.c.spent_nanos + new.excluded.spent_nanos},
    )


_ADD_TO_DAY = Prepared(_add_to_day, columns=["budget_id", "day", "spent_nanos"])


@dataclass(slots=True, kw_only=True)
class Balance:
    """Amounts of a budget. Invariant of a locked one: spent + reserved <= limit, unless a call cost
    more than its worst case or the limit was lowered.
    """

    id: UUID
    project_id: UUID
    scope: str
    scope_id: UUID
    limit_nanos: int
    spent_nanos: int
    reserved_nanos: int
    alert_threshold: float
    alerted_on: date | None
    counts_simulated: bool
    period: Period
    # Spent and reserved as read, and the cost added since.
    read: tuple[int, int]
    cost_nanos: int = 0
    # Corrections to earlier days, by day.
    corrections: Counter[date] = field(default_factory=Counter)

    @property
    def is_changed(self) -> bool:
        is_moved = self.read != (self.spent_nanos, self.reserved_nanos)
        return is_moved or self.cost_nanos != 0 or bool(self.corrections)

    def check(self, amount_nanos: int) -> None:
        """Raises BudgetExhausted when the amount does not fit."""
        if self.spent_nanos + self.reserved_nanos + amount_nanos > self.limit_nanos:
            raise BudgetExhausted(
                budget_id=self.id,
                amount_nanos=amount_nanos,
                is_passing=self.spent_nanos + amount_nanos <= self.limit_nanos,
                shortage=Shortage(
                    budget=budget_name(self.scope),
                    period=self.period,
                    scope=self.scope,
                    scope_id=self.scope_id,
                    limit_usd=usd_from_nanos(self.limit_nanos),
                    left_usd=usd_from_nanos(
                        max(0, self.limit_nanos - self.spent_nanos - self.reserved_nanos)
                    ),
                    needed_usd=usd_from_nanos(amount_nanos),
                ),
            )

    def charge(self, *, reserved_nanos: int, cost_nanos: int) -> None:
        """Turn a reservation into a charge; a negative cost takes some of an earlier charge
        back.
        """
        self.reserved_nanos -= reserved_nanos
        self.spent_nanos = max(0, self.spent_nanos + cost_nanos)
        self.cost_nanos += cost_nanos

    def correct(self, delta_nanos: int, *, charged_on: date, today: date) -> None:
        """Correct the charge of a day. Affects `spent_nanos` only if the budget's window contains
        it.
        """
        is_counted = (
            self.period == Period.TOTAL
            or charged_on == today
            or (self.period == Period.ROLLING_30_DAYS and charged_on > today - WINDOW)
        )
        if is_counted:
            self.spent_nanos = max(0, self.spent_nanos + delta_nanos)
        self.corrections[charged_on] += delta_nanos

    def may_alert(self, day: date) -> bool:
        # Rounded, because in floating point 0.07 times a limit is slightly more than 7 % of it.
        is_reached = self.spent_nanos >= round(self.alert_threshold * self.limit_nanos)
        is_news = self.alerted_on is None or (self.period != Period.TOTAL and self.alerted_on < day)
        return is_reached and is_news


class Balances:
    """The given budgets and those of the scopes. Nothing is written before `save`, and only to
    locked ones.
    """

    def __init__(
        self,
        session: AsyncSession,
        *,
        budget_ids: Collection[UUID] = (),
        scope_ids: Collection[UUID] = (),
    ) -> None:
        self._session = session
        self._reach = {"budget_ids": budget_ids, "scope_ids": scope_ids}
        self._day = clock.now().date()
        self._by_id: dict[UUID, Balance] = {}
        self._by_payer: dict[Payer, Sequence[Balance]] = {}
        self.is_locked = False

    @property
    def is_empty(self) -> bool:
        return not self._by_id

    async def expect(self) -> None:
        """Reads the balances without locking them. Windows that ended count in full."""
        self._take(await _AMOUNTS.fetch(self._session, **self._reach))

    async def lock(self) -> None:
        """Locks and reads the balances, and forgets all changes."""
        rows = await _LOCKED_AMOUNTS.fetch(self._session, **self._reach)
        stale = [
            budget_id
            for budget_id, *_, period, window_day in rows
            if period != Period.TOTAL and window_day < self._day
        ]
        if stale:
            await Budgets(self._session).bring_up_to(stale, self._day)
            rows = await _LOCKED_AMOUNTS.fetch(self._session, **self._reach)
        self._take(rows)
        self.is_locked = True

    def _take(self, rows: Iterable[Sequence[Any]]) -> None:
        self._by_id = {balance.id: balance for balance in map(_balance, rows)}
        self._by_payer.clear()

    def in_scope(self, project_id: UUID, scope_ids: Collection[UUID]) -> list[Balance]:
        """Budgets of the project as a whole and of the given scopes in it."""
        return [
            balance
            for balance in self._by_id.values()
            if balance.project_id == project_id
            and (balance.scope_id == project_id or balance.scope_id in scope_ids)
        ]

    def charge(self, entry: EntrySnapshot, cost_nanos: int) -> None:
        """Replace the entry's reservation by its cost, in those of its budgets that still exist.
        The reservation of an unconfirmed entry has already been moved.
        """
        is_late = entry.state != EntryState.RESERVED
        for balance in self._paying(entry.payer):
            balance.charge(
                reserved_nanos=0 if is_late else entry.reserved_nanos,
                cost_nanos=cost_nanos - entry.cost_nanos,
            )

    def move_reservation(self, entry: EntrySnapshot) -> None:
        """Replace the reservation of a reaped entry by the cost it is charged."""
        for balance in self._paying(entry.payer):
            balance.charge(reserved_nanos=entry.reserved_nanos, cost_nanos=entry.cost_nanos)

    def correct(self, entry: EntrySnapshot, cost_nanos: int, *, charged_on: date) -> None:
        """Correct a charge of an earlier day, in budgets whose window contains that day."""
        delta = cost_nanos - entry.cost_nanos
        for balance in self._paying(entry.payer):
            balance.correct(delta, charged_on=charged_on, today=self._day)

    def _paying(self, payer: Payer) -> Sequence[Balance]:
        """Those of its budgets that still exist."""
        found = self._by_payer.get(payer)
        if found is None:
            known = map(self._by_id.get, payer.budget_ids)
            found = self._by_payer[payer] = [balance for balance in known if balance is not None]
        return found

    async def save(self) -> None:
        changed = [balance for balance in self._by_id.values() if balance.is_changed]
        for balance in changed:
            await self._write(balance)
        await self._note_day(changed)
        await self._announce([balance for balance in changed if balance.may_alert(self._day)])

    async def _write(self, balance: Balance) -> None:
        spent, reserved = balance.read
        written = await _REPLACE.fetch(
            self._session,
            budget_id=balance.id,
            limit=balance.limit_nanos,
            old_spent=spent,
            old_reserved=reserved,
            new_spent=balance.spent_nanos,
            new_reserved=balance.reserved_nanos,
            now=clock.now(),
        )
        if not written:
            raise Conflict("The budget changed at the same moment.")

    async def _note_day(self, balances: Collection[Balance]) -> None:
        by_day: Counter[tuple[UUID, date]] = Counter()
        for balance in balances:
            by_day[balance.id, self._day] += balance.cost_nanos
            for day, nanos in balance.corrections.items():
                by_day[balance.id, day] += nanos
        rows = [
            {"budget_id": budget_id, "day": day, "spent_nanos": nanos}
            for (budget_id, day), nanos in by_day.items()
            if nanos
        ]
        if rows:
            await _ADD_TO_DAY.run(self._session, rows)

    async def _announce(self, balances: Collection[Balance]) -> None:
        if not balances:
            return
        news = await Budgets(self._session).mark_alerted(
            [balance.id for balance in balances], self._day
        )
        for budget in news:
            await alerts.notify_editors(self._session, budget)
            await events.publish(
                self._session,
                stream=events.project_stream(budget.project_id),
                kind="budget.alert",
                data={"entity_id": str(budget.id)},
            )


async def lock_balances(
    session: AsyncSession, *, budget_ids: Collection[UUID] = (), scope_ids: Collection[UUID] = ()
) -> Balances:
    """Lock the given budgets and those of the scopes, and roll their windows forward to today.
    Locks in id order, so concurrent transactions cannot deadlock.
    """
    balances = Balances(session, budget_ids=budget_ids, scope_ids=scope_ids)
    await balances.lock()
    return balances


async def expect_balances(
    session: AsyncSession, *, budget_ids: Collection[UUID], scope_ids: Collection[UUID]
) -> Balances:
    """Balances as they probably will be when they are locked. On SQLite, which has one writer, they
    are locked already.
    """
    balances = Balances(session, budget_ids=budget_ids, scope_ids=scope_ids)
    if session.get_bind().dialect.name == "sqlite":
        await balances.lock()
    else:
        await balances.expect()
    return balances


def _balance(row: Sequence[Any]) -> Balance:
    named = dict(zip(_READ, row, strict=True))
    del named["window_day"]
    return Balance(
        period=Period(named.pop("period")),
        read=(named["spent_nanos"], named["reserved_nanos"]),
        **named,
    )
