"""Errors of budgets."""

from decimal import Decimal
from uuid import UUID

from edison.kit.errors import Conflict, Exhausted
from edison.kit.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortage:
    """The budget that has too little left, as text and as data. `needed_usd` is None when the
    budget is used up.
    """

    budget: str
    period: str
    scope: str
    scope_id: UUID
    limit_usd: Decimal
    left_usd: Decimal
    needed_usd: Decimal | None

    @property
    def sentence(self) -> str:
        limit = f"The {self.budget} (${self.limit_usd:f} {_PERIODS[self.period]})"
        advice = _ADVICE[self.period]
        needed = (
            "" if self.needed_usd is None else f", and this needs at least ${self.needed_usd:f}"
        )
        if not self.left_usd:
            return f"{limit} is used up{needed}. {advice}"
        return f"{limit} has ${self.left_usd:f} left{needed}. {advice}"

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


_PERIODS = {"total": "in total", "day": "per day", "rolling_30_days": "in 30 days"}
_ADVICE = {
    "total": "Raise it under Budgets, or choose less work.",
    "day": "Raise it under Budgets, choose less work, or wait until midnight UTC.",
    "rolling_30_days": "Raise it under Budgets, choose less work, or wait until earlier days no "
    "longer count.",
}


def budget_name(scope: str, name: str | None = None) -> str:
    """Such as "budget of the experiment Shorter replies"."""
    return f"budget of the {scope} {name or ''}".strip()


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

    def __init__(self, *models: str) -> None:
        names, price = " and ".join(models), "price" if len(models) == 1 else "prices"
        is_are, its = ("is", "its") if len(models) == 1 else ("are", "their")
        super().__init__(
            f"The {price} of {names} {is_are} unknown, so {its} calls cannot be kept within the "
            f"budget. Enter {its} prices under Models."
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
