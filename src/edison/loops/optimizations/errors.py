"""Errors of optimizations."""

from decimal import Decimal

from edison.kit.errors import Conflict, Exhausted, FieldProblem, Invalid
from edison.loops.optimizations.states import OptimizationState

_WORDS = {
    OptimizationState.DRAFT: "has not started",
    OptimizationState.RUNNING: "is running",
    OptimizationState.PAUSED: "is paused",
}


class WrongOptimizationState(Conflict):
    """The state of the optimization does not allow the action; `details` names it."""

    code = "WRONG_STATE"

    def __init__(self, state: OptimizationState, *, advice: str) -> None:
        words = _WORDS.get(state, "has ended")
        super().__init__(f"This optimization {words}. {advice}", details={"state": str(state)})


class BudgetTooSmall(Exhausted):
    """The money does not cover one generation and the test on held-out cases."""

    code = "BUDGET_TOO_SMALL"

    def __init__(self, *, left_usd: Decimal, needed_usd: Decimal, name: str) -> None:
        super().__init__(
            f"The {name} has ${left_usd:f} left; the baseline, one generation and the test on "
            f"held-out cases need up to ${needed_usd:f}. Raise the budget, or choose fewer cases, "
            "models or candidates.",
            details={"left_usd": f"{left_usd:f}", "needed_usd": f"{needed_usd:f}"},
        )


def invalid(field: str, message: str, code: str) -> Invalid:
    return Invalid(FieldProblem(field=field, message=message, code=code))
