"""What may be wrong with what is asked of a run."""

from edison.kit.errors import Conflict


class IllegalChange(Conflict):
    """The state of the run does not allow it."""

    def __init__(self, action: str, state: str) -> None:
        super().__init__(f"A run that is {state} cannot be {action}.", details={"state": state})


class AlreadyRunning(Conflict):
    """Only one run at a time may be active here."""

    def __init__(self) -> None:
        super().__init__("Another run is still under way here. Wait for it, or cancel it first.")


class NothingFailed(Conflict):
    def __init__(self) -> None:
        super().__init__("No cell of this run has failed.")


class NotAReplay(Conflict):
    def __init__(self) -> None:
        super().__init__("This run is no replay of another one.")
