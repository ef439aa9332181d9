"""Errors that clients of the prompt endpoints distinguish."""

from typing import Any
from uuid import UUID

from edison.kit.errors import Conflict


class DuplicateName(Conflict):
    code = "DUPLICATE_NAME"

    def __init__(self) -> None:
        super().__init__(
            "Another prompt of this project has this name; it may be an archived one.", path="name"
        )


class InUse(Conflict):
    code = "IN_USE"


class Archived(Conflict):
    code = "ARCHIVED"

    def __init__(self) -> None:
        super().__init__("This prompt is archived. Unarchive it to make changes.")


class StaleDraft(Conflict):
    """The draft was saved by another user; `details` holds the current draft and, if any, what was
    sent.
    """

    code = "STALE"

    def __init__(self, *, current: dict[str, Any], yours: dict[str, Any] | None = None) -> None:
        super().__init__(
            "Another member changed this draft. Compare both texts and choose.",
            details={"current": current, "yours": yours},
        )


class BaseChanged(Conflict):
    """A suggestion was made for a version that is no longer the latest."""

    code = "BASE_CHANGED"

    def __init__(self, *, base: str, latest: str, latest_id: UUID) -> None:
        super().__init__(
            f"This was suggested for {base}, and the prompt is at {latest} by now. "
            "Look at both, and decide whether to go on from the older one.",
            details={"base": base, "latest": latest, "latest_id": str(latest_id)},
        )


class Unchanged(Conflict):
    code = "UNCHANGED"

    def __init__(self, label: str) -> None:
        super().__init__(f"Nothing changed since {label}, so there is nothing to save.")
