"""Errors that clients of the model endpoints distinguish."""

from edison.kit.errors import Conflict


class DuplicateName(Conflict):
    code = "DUPLICATE_NAME"

    def __init__(self) -> None:
        super().__init__("Another model of this project has this name.", path="display_name")


class ModelInUse(Conflict):
    code = "IN_USE"


class AmbiguousName(Conflict):
    code = "AMBIGUOUS_NAME"

    def __init__(self, name: str) -> None:
        super().__init__(f"Several models are called {name!r}. Use a display name.")
