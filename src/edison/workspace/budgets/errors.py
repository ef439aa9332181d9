"""Errors of budgets."""

from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from edison.kit.errors import Conflict, Exhausted


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortage:
    """The budget that has too little left, as text and as data. `needed_usd` is None when the
    budget is used up.
    """

    budget: str
    sentence_period: str
    period: str
    scope: str
    scope_id: UUID
    limit_usd: Decimal
    left_usd: Decimal
    needed_usd: Decimal | None

    @property
    def sentence(self) -> str:
        limit = f"The {self.budget} (${self.limit_usd:f} {self.sentence_period})"
        if self.needed_usd is None or not self.left_usd:
            return f"{limit} is used up. {_ADVICE[self.period == 'total']}"
        left, needed = f"${self.left_usd:f}", f"${self.needed_usd:f}"
        return (
            f"{limit} has {left} left, and this needs at least {needed}. "
            f"{_ADVICE[self.period == 'total']}"
        )

    def details(self, budget_id: UUID) -> dict[str, str | None]:
        return {
            "budget_id": str(budget_id),
            "scope": self.scope,
            "scope_id": str(self.scope_id),
            "period": self.period,
            "limit_usd": f"{self.limit_usd:f}",
            "left_usd": f"{self.left_usd:f}",
            "needed_usd": None if self.needed_usd is None else f"{self.needed_usd:f}",
        }


# By whether the period is a total, which never resets.
_ADVICE = {
    True: "Raise it under Budgets.",
    False: "Raise it under Budgets, or wait until it resets.",
}


class BudgetExhausted(Exhausted):
    """`is_passing`: only reservations of calls in flight are in the way, so a retry may succeed
    when they end. `amount_nanos` is the amount requested. With `shortage`, the message names the
    budget and what is left of it.
    """

    def __init__(
        self,
        *,
        budget_id: UUID,
        amount_nanos: int = 0,
        is_passing: bool = False,
        shortage: Shortage | None = None,
    ) -> None:
        if shortage is None:
            super().__init__(
                "The budget does not allow this call. "
                "Raise it under Budgets, or wait until it resets."
            )
        else:
            super().__init__(shortage.sentence, details=shortage.details(budget_id))
        self.budget_id = budget_id
        self.amount_nanos = amount_nanos
        self.is_passing = is_passing


class PriceUnknown(Exhausted):
    code = "PRICE_UNKNOWN"

    def __init__(self, model: str) -> None:
        super().__init__(
            f"The price of {model} is unknown, so its calls cannot be kept within the budget. "
            "Enter its prices under Models."
        )


class NotPermitted(Conflict):
    code = "NOT_PERMITTED"

    def __init__(self) -> None:
        super().__init__("What the call was for has been stopped.")


class NotUnconfirmed(Conflict):
    code = "NOT_UNCONFIRMED"

    def __init__(self) -> None:
        super().__init__("This charge is not unconfirmed, or was already settled or voided.")


class DuplicateBudget(Conflict):
    code = "DUPLICATE_BUDGET"

    def __init__(self) -> None:
        super().__init__("There is a budget for this scope and period already.", path="period")
