"""Why no more money may be spent."""

from uuid import UUID

from edison.kit.errors import Conflict, Exhausted


class BudgetExhausted(Exhausted):
    """`is_passing`: only what calls under way may cost stands in the way, so that another try is
    worth it once they have ended. `amount_nanos`: what was asked for.
    """

    def __init__(self, *, budget_id: UUID, amount_nanos: int = 0, is_passing: bool = False) -> None:
        super().__init__(
            "The budget does not allow this call. Raise it under Budgets, or wait until it resets."
        )
        self.budget_id = budget_id
        self.amount_nanos = amount_nanos
        self.is_passing = is_passing


class PriceUnknown(Exhausted):
    code = "PRICE_UNKNOWN"

    def __init__(self, model: str) -> None:
        super().__init__(
            f"Nobody knows what {model} costs, so its calls cannot be kept within the budget. "
            "Enter its prices under Models."
        )


class NotPermitted(Conflict):
    code = "NOT_PERMITTED"

    def __init__(self) -> None:
        super().__init__("What the call was for has been stopped.")


class DuplicateBudget(Conflict):
    code = "DUPLICATE_BUDGET"

    def __init__(self) -> None:
        super().__init__("There is a budget for this scope and period already.", path="period")
