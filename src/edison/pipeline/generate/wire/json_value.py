"""Reads JSON of untrusted shape: a missing value or one of another type is absent, never an
exception.

The functions read one key of any value. `Json` wraps a value so that they can be chained.
"""

from collections.abc import Iterator
from typing import Any, Self

import orjson

# JSON integers are exact up to here.
MAX_COUNT = 2**53


def value_in(holder: object, key: str) -> Any:
    return holder.get(key) if type(holder) is dict else None


def text_in(holder: object, key: str) -> str | None:
    found = holder.get(key) if type(holder) is dict else None
    return found if isinstance(found, str) else None


def count_in(holder: object, key: str) -> int | None:
    """A non-negative integer that JSON represents exactly; None for anything else."""
    found = holder.get(key) if type(holder) is dict else None
    if type(found) is not int and type(found) is not float:
        return None
    return int(found) if 0 <= found <= MAX_COUNT else None


def items_in(holder: object, key: str) -> list[Any]:
    found = holder.get(key) if type(holder) is dict else None
    return found if isinstance(found, list) else []


class Json:
    """A value in a document; `NOTHING` where the document has none."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    @classmethod
    def parse(cls, text: bytes) -> Self | None:
        """None when the text is not JSON."""
        try:
            return cls(orjson.loads(text))
        except orjson.JSONDecodeError:
            return None

    def __getitem__(self, key: str) -> "Json":
        value = self.value
        if type(value) is not dict or (found := value.get(key)) is None:
            return NOTHING
        return Json(found)

    def text_of(self, key: str) -> str | None:
        return text_in(self.value, key)

    def count_of(self, key: str) -> int | None:
        return count_in(self.value, key)

    def __iter__(self) -> Iterator["Json"]:
        value = self.value
        return (Json(item) for item in value) if isinstance(value, list) else iter(())

    def __bool__(self) -> bool:
        return self.value is not None

    @property
    def first(self) -> "Json":
        value = self.value
        return Json(value[0]) if isinstance(value, list) and value else NOTHING

    @property
    def is_object(self) -> bool:
        return isinstance(self.value, dict)

    @property
    def text(self) -> str | None:
        return self.value if isinstance(self.value, str) else None


# Shared, because most lookups find nothing.
NOTHING = Json(None)
