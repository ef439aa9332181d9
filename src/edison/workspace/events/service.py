"""Publishing what changed, and reading it back in order."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.sse import LARGEST_NUMBER, Extent, StreamedEvent
from edison.db import wakeups
from edison.kit import clock
from edison.workspace.events import repository
from edison.workspace.events.models import Event
from edison.workspace.events.repository import Events

# Most that `read_after` returns.
MOST_AT_ONCE = repository.MOST_AT_ONCE
# Woken when somebody may no longer read what they could.
ACCESS_CHANNEL = "access"


def access_changed(session: AsyncSession) -> None:
    """Check the readers of all open streams, in all processes, once the transaction commits.

    To be called wherever access ends: a membership or role, a session, a token, an account, a
    project. Without the call streams end a second later.
    """
    wakeups.request(session, ACCESS_CHANNEL)


def project_stream(project_id: UUID) -> str:
    """The stream that everyone who may see the project may read."""
    return f"project:{project_id}"


async def publish(session: AsyncSession, *, stream: str, kind: str, data: Mapping[str, Any]) -> int:
    """Add an event to a stream and wake its readers once the transaction commits.

    Returns the event's number. Until the transaction ends nobody else can publish to the stream,
    so make this the last step of a transaction, and take several streams in sorted order. `data`
    holds ids rather than contents: readers of the stream may be allowed to see less.
    """
    number = await Events(session).take_number(stream)
    session.add(
        Event(stream=stream, number=number, kind=kind, data=dict(data), created_at=clock.now())
    )
    wakeups.request(session, stream)
    return number


async def read_after(
    session: AsyncSession, stream: str, number: int, *, upto: int = LARGEST_NUMBER
) -> Sequence[StreamedEvent]:
    """The next events in order, `MOST_AT_ONCE` at most; empty when there are no more."""
    return [
        StreamedEvent(number=event.number, kind=event.kind, data=event.data)
        for event in await Events(session).list_after(stream, number, upto=upto)
    ]


async def get_extent(session: AsyncSession, stream: str) -> Extent:
    forgotten, last = await Events(session).get_extent(stream)
    return Extent(forgotten=forgotten, last=last)


async def forget_before(session: AsyncSession, moment: datetime) -> None:
    """Delete old events. Numbering goes on; readers who were away longer are told to start over."""
    await Events(session).delete_before(moment)
