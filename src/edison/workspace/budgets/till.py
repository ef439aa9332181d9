"""The call path's till: sets money aside before a call and settles after it.

Each step is a short transaction of its own, as nothing may be held open during a call. A
reservation is taken from every budget in scope or from none.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit import clock, ids
from edison.pipeline.generate.path.ports import Intent, Settlement
from edison.workspace.budgets.errors import BudgetExhausted, PriceUnknown
from edison.workspace.budgets.models import EntryState, LedgerEntry
from edison.workspace.budgets.repository import Budgets, Ledger
from edison.workspace.events import service as events


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerTill:
    """For the calls one project makes for one purpose. `scope_ids` are what else than the project
    may have a budget of its own, such as an experiment.
    """

    database: Database
    project_id: UUID
    purpose: str
    scope_ids: tuple[UUID, ...] = ()

    async def reserve(self, intent: Intent) -> "LedgerReservation":
        """Raises BudgetExhausted, or PriceUnknown where a budget would have to be guarded."""
        entry_id = ids.new_id()
        async with self.database.write() as session:
            budget_ids = await Budgets(session).list_in_scope(
                self.project_id, [self.project_id, *self.scope_ids]
            )
            await _take(session, budget_ids, intent)
            Ledger(session).add(self._entry(entry_id, intent, budget_ids))
        return LedgerReservation(
            database=self.database, project_id=self.project_id, entry_id=entry_id
        )

    def _entry(self, entry_id: UUID, intent: Intent, budget_ids: Sequence[UUID]) -> LedgerEntry:
        return LedgerEntry(
            id=entry_id,
            project_id=self.project_id,
            purpose=self.purpose,
            provider=intent.provider,
            model=intent.model,
            attempt=intent.attempt,
            state=EntryState.RESERVED,
            reserved_nanos=intent.worst_case_nanos,
            budget_ids=[str(budget_id) for budget_id in budget_ids],
            is_estimated=False,
            price_version=intent.price_version,
            created_at=clock.now(),
        )


async def _take(session: AsyncSession, budget_ids: Sequence[UUID], intent: Intent) -> None:
    if not budget_ids:
        return
    if intent.worst_case_nanos is None:
        raise PriceUnknown(intent.model)
    budgets = Budgets(session)
    await budgets.bring_up_to(budget_ids, _today())
    for budget_id in budget_ids:
        if not await budgets.reserve(budget_id, intent.worst_case_nanos):
            raise BudgetExhausted


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerReservation:
    database: Database
    project_id: UUID
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
            before = await Ledger(session).settle(self.entry_id, values)
            # What was given up on has been moved to spent already, all of it.
            is_late = before.state == EntryState.UNCONFIRMED
            await move(
                session,
                before,
                reserved_nanos=0 if is_late else before.reserved_nanos or 0,
                cost_nanos=(settlement.cost_nanos or 0) - (before.cost_nanos or 0),
            )
            await announce_alerts(session, self.project_id, before)


async def move(
    session: AsyncSession, entry: LedgerEntry, *, reserved_nanos: int, cost_nanos: int
) -> None:
    """Let the entry's budgets know what became of what they had set aside."""
    budgets = Budgets(session)
    budget_ids = [UUID(text) for text in entry.budget_ids]
    await budgets.bring_up_to(budget_ids, _today())
    for budget_id in budget_ids:
        await budgets.settle(
            budget_id, reserved_nanos=reserved_nanos, cost_nanos=cost_nanos, day=_today()
        )


async def announce_alerts(session: AsyncSession, project_id: UUID, entry: LedgerEntry) -> None:
    budget_ids = [UUID(text) for text in entry.budget_ids]
    if not budget_ids:
        return
    for budget in await Budgets(session).mark_alerted(budget_ids, _today()):
        await events.publish(
            session,
            stream=events.project_stream(project_id),
            kind="budget.alert",
            data={"entity_id": str(budget.id)},
        )


def _today() -> date:
    return clock.now().date()
