"""Errors of monitors and alerts."""

from edison.kit.errors import Conflict


class CheckUnderWay(Conflict):
    code = "CHECK_UNDER_WAY"

    def __init__(self) -> None:
        super().__init__("A check of this monitor is in progress. Wait for it to end.")


class NoSuchBaseline(Conflict):
    """The check has no scores to compare with."""

    code = "NO_BASELINE"

    def __init__(self) -> None:
        super().__init__("This check has no scores, so it cannot be the baseline.")


class AlreadyInState(Conflict):
    """The monitor or alert already is in the requested state."""

    def __init__(self, noun: str, state: str) -> None:
        super().__init__(f"This {noun} is {state} already.", details={"state": state})
