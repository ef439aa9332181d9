"""Errors that clients of the scorer endpoints distinguish."""

from typing import Any

from edison.kit.errors import Conflict


class DuplicateName(Conflict):
    code = "DUPLICATE_NAME"

    def __init__(self, what: str) -> None:
        super().__init__(
            f"Another {what} of this project has this name; it may be an archived one.",
            path="name",
        )


class InUse(Conflict):
    code = "IN_USE"


class Archived(Conflict):
    code = "ARCHIVED"

    def __init__(self, what: str) -> None:
        super().__init__(f"This {what} is archived. Unarchive it to make changes.")


class Unchanged(Conflict):
    code = "UNCHANGED"

    def __init__(self, label: str) -> None:
        super().__init__(f"Nothing changed since {label}, so there is nothing to save.")


class StaleVersion(Conflict):
    """Another user saved a version first; `details` holds it."""

    code = "STALE"

    def __init__(self, what: str, *, current: dict[str, Any]) -> None:
        super().__init__(
            f"Another member changed this {what}. Review the new version, then save again.",
            details={"current": current},
        )
