"""Errors of A/B tests."""

from edison.kit.errors import Conflict
from edison.loops.abtests.states import AbTestState

_WORDS = {
    AbTestState.DRAFT: "has not started",
    AbTestState.RUNNING: "is running",
}


class WrongAbTestState(Conflict):
    """The state of the test does not allow the action; `details` names it."""

    code = "WRONG_STATE"

    def __init__(self, state: AbTestState, *, advice: str, path: str | None = None) -> None:
        words = _WORDS.get(state, "has ended")
        super().__init__(
            f"This A/B test {words}. {advice}", details={"state": str(state)}, path=path
        )


class NotRecorded(Conflict):
    """Answers were sent to a test that samples its cases from a dataset."""

    code = "NOT_RECORDED"

    def __init__(self) -> None:
        super().__init__(
            "This A/B test samples its cases from a dataset. Create one without a dataset to "
            "record answers.",
            path="dataset_id",
        )
