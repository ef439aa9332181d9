"""Errors when saving results of a run to a dataset."""

from typing import Any

from edison.kit.errors import Conflict


class NoAnswer(Conflict):
    code = "NO_ANSWER"

    def __init__(self) -> None:
        super().__init__("This cell failed, so there is no answer to save.")


class AnotherAnswer(Conflict):
    code = "ANOTHER_ANSWER"

    def __init__(self) -> None:
        super().__init__("This answer was re-run. Review the new answer first.")


class CaseGone(Conflict):
    code = "CASE_GONE"

    def __init__(self) -> None:
        super().__init__("The case of this row is in no dataset. Add the row to one first.")


class CaseChanged(Conflict):
    """`details` holds the case's current expected answer, the run's, and the proposed one."""

    code = "CASE_CHANGED"

    def __init__(self, details: dict[str, Any]) -> None:
        super().__init__(
            "The case was changed since this run. Compare both before you overwrite it.",
            details=details,
        )


class KnownCase(Conflict):
    code = "KNOWN_CASE"

    def __init__(self) -> None:
        super().__init__("The dataset has a case with these inputs already.")
