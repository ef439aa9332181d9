"""Event logs, the source of streams: the events of a topic, ordered by number.

A cursor is the number of the last event that a reader has; 0 is before the first. It stays valid
across restarts, because events are rows.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from edison.db.wakeups import Topic
from edison.kit.lazy_dataclasses import dataclass

Cursor: TypeAlias = int
LARGEST_CURSOR: Cursor = 2**63 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamedEvent:
    number: Cursor
    kind: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class CursorRange:
    """The cursors at which reading can begin. Events up to `oldest` have been deleted."""

    oldest: Cursor
    newest: Cursor


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPage:
    events: Sequence[StreamedEvent] = ()
    has_more: bool = False


class EventLog(ABC):
    """Hashable. Readers of equal logs share queries, so equal logs require the same access.

    `get_range` and `read` are short transactions of their own.
    """

    @property
    @abstractmethod
    def topic(self) -> Topic: ...

    @abstractmethod
    async def get_range(self) -> CursorRange:
        """May raise NotFound."""

    @abstractmethod
    async def read(self, after: Cursor, upto: Cursor) -> EventPage:
        """The next events in order with numbers in (after, upto], one page at most."""

    def has_transient(self) -> bool:
        """Whether readers may find transient events after a wake-up."""
        return False

    def open_transient(self) -> Callable[[], bytes]:
        """For one reader: returns its new transient events, encoded. They have no number, are not
        stored and cannot be resumed.
        """
        return bytes
