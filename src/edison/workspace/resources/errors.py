"""Errors that clients of all resources distinguish. `noun` is the resource's, such as "prompt"."""

from typing import Any

from edison.kit.errors import Conflict


class DuplicateName(Conflict):
    """`is_hidden`: the list that users see leaves archived resources out, so the message mentions
    them.
    """

    code = "DUPLICATE_NAME"

    def __init__(self, noun: str, *, path: str = "name", is_hidden: bool = False) -> None:
        hint = "; it may be an archived one" if is_hidden else ""
        super().__init__(f"Another {noun} of this project has this name{hint}.", path=path)


class InUse(Conflict):
    """The message says what uses the resource."""

    code = "IN_USE"


class Archived(Conflict):
    code = "ARCHIVED"

    def __init__(self, noun: str, *, to: str = "make changes") -> None:
        super().__init__(f"This {noun} is archived. Unarchive it to {to}.")


class Unchanged(Conflict):
    """What is to be saved equals the version with this label."""

    code = "UNCHANGED"

    def __init__(self, label: str) -> None:
        super().__init__(f"Nothing changed since {label}, so there is nothing to save.")


class Stale(Conflict):
    """Another user saved first. `what` is what they changed, such as "this draft"; `details` holds
    the current state and whatever else helps to merge.
    """

    code = "STALE"

    def __init__(
        self,
        what: str,
        *,
        current: dict[str, Any],
        advice: str = "Review the new version, then save again.",
        **others: Any,
    ) -> None:
        super().__init__(
            f"Another member changed {what}. {advice}", details={"current": current, **others}
        )
