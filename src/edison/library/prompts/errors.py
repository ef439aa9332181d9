"""Errors that clients of the prompt endpoints distinguish."""

from typing import Any
from uuid import UUID

from edison.kit.errors import Conflict
from edison.workspace.resources.errors import Stale


class StaleDraft(Stale):
    """The draft was saved by another user; `details` holds the current draft and, if any, what was
    sent.
    """

    def __init__(self, *, current: dict[str, Any], yours: dict[str, Any] | None = None) -> None:
        super().__init__(
            "this draft", current=current, advice="Compare both texts and choose.", yours=yours
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
