"""Errors of configurations. They name the file and the line."""

from collections.abc import Sequence
from typing import Any

from edison.kit.errors import EdisonError
from edison.kit.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file. Lines and columns begin with 1; 0 stands for the whole file."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        if not self.line:
            return self.file
        return f"{self.file}:{self.line}" + (f":{self.column}" if self.column else "")


class ConfigError(EdisonError):
    """The configuration cannot be read or evaluated. Nothing was spent."""

    code = "CONFIG_ERROR"

    def __init__(self, message: str, place: Place | None = None) -> None:
        super().__init__(message if place is None else f"{place}: {message}")
        self.place = place


class NotSupported(ConfigError):
    """Lists everything in a configuration that Edison does not evaluate."""

    code = "CONFIG_NOT_SUPPORTED"


def place_of(value: Any) -> Place | None:
    """Where a value of a document was written, if that is known."""
    found = getattr(value, "place", None)
    return found if isinstance(found, Place) else None


def item_places(values: Sequence[Any], place: Place | None) -> list[Place | None]:
    """Where each item of a list was written; that of the list where this is not known."""
    found = getattr(values, "item_places", ())
    return list(found) if found else [place_of(values) or place] * len(values)
