"""Why no more money may be spent."""

from edison.kit.errors import Conflict, Exhausted


class BudgetExhausted(Exhausted):
    def __init__(self) -> None:
        super().__init__(
            "The budget does not allow this call. Raise it under Budgets, or wait until it resets."
        )


class PriceUnknown(Exhausted):
    code = "PRICE_UNKNOWN"

    def __init__(self, model: str) -> None:
        super().__init__(
            f"Nobody knows what {model} costs, so its calls cannot be kept within the budget. "
            "Enter its prices under Models."
        )


class DuplicateBudget(Conflict):
    code = "DUPLICATE_BUDGET"

    def __init__(self) -> None:
        super().__init__("There is a budget for this scope and period already.", path="period")
