"""Errors of operations on runs."""

from uuid import UUID

from edison.kit.errors import Conflict


class IllegalRunChange(Conflict):
    """The state of the run does not allow the action."""

    def __init__(self, action: str, state: str) -> None:
        super().__init__(f"A run that is {state} cannot be {action}.", details={"state": state})


class RunIsImported(Conflict):
    """Imported runs are a record of results: their cells are never filled again."""

    code = "RUN_IS_IMPORTED"

    def __init__(self) -> None:
        super().__init__("This run was imported, so it cannot go on. Repeat it as a new run.")


class RunNeedsCommand(Conflict):
    """The run needs code or keys that a server does not have."""

    code = "RUN_NEEDS_COMMAND"

    def __init__(self) -> None:
        super().__init__(
            "This run needs code or keys of the machine where it was started. Go on there with "
            "`edison eval --resume`."
        )


class RunIsReplay(Conflict):
    code = "RUN_IS_REPLAY"

    def __init__(self) -> None:
        super().__init__("This run is a replay, which calls no model. Score the original run.")


class RunIsMeasured(Conflict):
    """Runs of loops are evidence for their decisions: their scores do not change afterwards."""

    code = "RUN_IS_MEASURED"

    def __init__(self) -> None:
        super().__init__(
            "This run belongs to an experiment, monitor or A/B test, which decides by the scorers "
            "it started with. Start a run of its own to try other scorers."
        )


class RunAlreadyActive(Conflict):
    """Another active run holds the lock; `run_id` is that run, None if it has just ended."""

    def __init__(self, run_id: UUID | None) -> None:
        super().__init__(
            "Another run is in progress here. Wait for it to end, or cancel it.",
            details=None if run_id is None else {"run_id": str(run_id)},
        )


class NothingFailed(Conflict):
    def __init__(self) -> None:
        super().__init__("No cell of this run has failed.")


class NotAReplay(Conflict):
    def __init__(self) -> None:
        super().__init__("This run is no replay of another one.")
