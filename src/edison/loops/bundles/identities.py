"""New ids for imported rows. A bundle refers to its own contents by the ids they had where it was
exported; every import gives new ones, so a bundle can be imported any number of times.
"""

import re
from typing import Any
from uuid import UUID

from edison.kit import ids

# Also as a part of a text, such as the key of a variant or of a repeated judge: `<id>#2`.
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Identities:
    def __init__(self) -> None:
        self._new: dict[UUID, UUID] = {}

    def renew(self, old: UUID) -> UUID:
        """The new id of a row of the bundle."""
        return self._new.setdefault(old, ids.new_id())

    def use(self, old: UUID, existing: UUID) -> None:
        """Refer to an existing row in place of the bundle's."""
        self._new[old] = existing

    def drop(self, old: UUID) -> None:
        """Nothing of the project corresponds to this row of the bundle."""
        self._new.pop(old, None)

    def find(self, old: UUID | None) -> UUID | None:
        """None for ids of rows that the bundle does not contain."""
        return None if old is None else self._new.get(old)

    def remap(self, value: Any) -> Any:
        """A JSON value with all known ids replaced, in keys too."""
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, list):
            return [self.remap(each) for each in value]
        if isinstance(value, dict):
            return {self._text(key): self.remap(each) for key, each in value.items()}
        return value

    def _text(self, text: str) -> str:
        return _ID.sub(lambda found: str(self._new.get(UUID(found[0]), found[0])), text)


def ids_in(value: Any) -> set[UUID]:
    """All ids in a JSON value."""
    if isinstance(value, str):
        return {UUID(found) for found in _ID.findall(value)}
    if isinstance(value, list):
        return set().union(*map(ids_in, value))
    if isinstance(value, dict):
        return set().union(*map(ids_in, [*value, *value.values()]))
    return set()
