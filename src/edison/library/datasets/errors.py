"""Errors that clients of the dataset endpoints distinguish."""

from edison.kit.errors import Conflict
from edison.workspace.resources.errors import Archived


class DatasetArchived(Archived):
    def __init__(self) -> None:
        super().__init__("dataset", to="change its cases")


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
