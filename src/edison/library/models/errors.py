"""Errors that clients of the model endpoints distinguish."""

from edison.kit.errors import Conflict


class AmbiguousName(Conflict):
    code = "AMBIGUOUS_NAME"

    def __init__(self, name: str) -> None:
        super().__init__(f"Several models are called {name!r}. Use a display name.")
