"""Errors of experiments and iterations."""

from edison.kit.errors import Conflict


class IterationUnderWay(Conflict):
    code = "ITERATION_UNDER_WAY"

    def __init__(self) -> None:
        super().__init__(
            "An iteration of this experiment is in progress. Wait for it to end, or cancel it."
        )


class NotConfirmed(Conflict):
    def __init__(self) -> None:
        super().__init__("This experiment is still a draft. Confirm it first.")


class NotReady(Conflict):
    """An iteration cannot start; `details` lists every reason."""

    code = "NOT_READY"

    def __init__(self, reasons: list[dict[str, str]]) -> None:
        first = reasons[0]["message"]
        rest = f" ({len(reasons) - 1} more)" if len(reasons) > 1 else ""
        super().__init__(f"{first}{rest}", details={"reasons": reasons})


class IllegalChange(Conflict):
    """The state of the iteration does not allow the action."""

    def __init__(self, action: str, state: str) -> None:
        super().__init__(
            f"An iteration that is {state} cannot be {action}.", details={"state": state}
        )


class AlreadyDecided(Conflict):
    code = "ALREADY_DECIDED"

    def __init__(self, state: str) -> None:
        super().__init__(f"This suggestion is {state} already.", details={"state": state})
