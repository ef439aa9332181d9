"""Decides on the reservations of one transaction: what pays for them, or why they are refused."""

from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.generate.path.ports import Intent
from edison.workspace.budgets.balances import Balance, Balances
from edison.workspace.budgets.errors import BudgetExhausted, NotPermitted, PriceUnknown
from edison.workspace.budgets.repository.entries import Payer
from edison.workspace.budgets.types import Check, LedgerAccount

# What pays for a reservation, or why it was refused.
Decision = Payer | Exception


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reach:
    """What the calls of an account count in, those of simulated models or the others."""

    may_spend: bool
    budgets: Sequence[Balance]
    payer: Payer


class Funds:
    """`permitted` are the subjects that may spend, by the check of their permit."""

    def __init__(self, balances: Balances, permitted: Mapping[Check, Collection[UUID]]) -> None:
        self._balances = balances
        self._permitted = permitted
        self._known: dict[tuple[LedgerAccount, bool], _Reach] = {}

    def reserve(self, account: LedgerAccount, intent: Intent) -> Decision:
        """Reserves the worst case in all budgets in reach or in none."""
        reach = self._reach(account, is_simulated=intent.is_simulated)
        if not reach.may_spend:
            return NotPermitted()
        amount = intent.worst_case_nanos
        if reach.budgets and amount is None:
            return PriceUnknown(intent.model)
        try:
            for balance in reach.budgets:
                balance.check(amount or 0)
        except BudgetExhausted as exhausted:
            return exhausted
        for balance in reach.budgets:
            balance.reserved_nanos += amount or 0
        return reach.payer

    def _reach(self, account: LedgerAccount, *, is_simulated: bool) -> _Reach:
        found = self._known.get((account, is_simulated))
        if found is None:
            found = self._find_reach(account, is_simulated=is_simulated)
            self._known[account, is_simulated] = found
        return found

    def _find_reach(self, account: LedgerAccount, *, is_simulated: bool) -> _Reach:
        permit = account.permit
        budgets = [
            balance
            for balance in self._balances.in_scope(account.project_id, account.scope_ids)
            if balance.counts_simulated or not is_simulated
        ]
        return _Reach(
            may_spend=permit is None or permit.subject_id in self._permitted[permit.check],
            budgets=budgets,
            payer=Payer(
                budget_ids=tuple(balance.id for balance in budgets),
                run_id=account.run_id,
                purpose=account.purpose,
            ),
        )
