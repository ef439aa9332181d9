"""Errors that clients of the dataset endpoints distinguish."""

from typing import Any

from edison.kit.errors import Conflict


class DuplicateName(Conflict):
    code = "DUPLICATE_NAME"

    def __init__(self) -> None:
        super().__init__("Another dataset of this project has this name.", path="name")


class InUse(Conflict):
    code = "IN_USE"


class DatasetArchived(Conflict):
    code = "ARCHIVED"

    def __init__(self) -> None:
        super().__init__("This dataset is archived. Unarchive it to change its cases.")


class StaleCase(Conflict):
    """The case was changed since it was read; `details.current` holds the current case."""

    code = "STALE"

    def __init__(self, current: dict[str, Any]) -> None:
        super().__init__(
            "Another member changed this case. Review the new version, then save again.",
            details={"current": current},
        )


class SelectionChanged(Conflict):
    """The selection changed since it was read; `details.count` is its current size."""

    code = "SELECTION_CHANGED"

    def __init__(self, count: int) -> None:
        super().__init__(
            f"The selection now has {count:,} cases. Look again before you change them.",
            details={"count": count},
        )


class CannotUndo(Conflict):
    code = "CANNOT_UNDO"


class DatasetFull(Conflict):
    code = "DATASET_FULL"


class ImportEnded(Conflict):
    code = "IMPORT_ENDED"

    def __init__(self) -> None:
        super().__init__("This file was imported already.")
