"""Publish events to streams and read them in order."""

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

# Page size of `read_after`.
MOST_AT_ONCE = repository.MOST_AT_ONCE
# Woken when a user loses access.
ACCESS_CHANNEL = "access"


def access_changed(session: AsyncSession) -> None:
    """Re-check the readers of all open streams, in all processes, after the commit.

    Call it wherever access ends: a membership or role, a session, a token, an account, a project.
    Without the call, streams end up to a second later.
    """
    wakeups.request(session, ACCESS_CHANNEL)


def project_stream(project_id: UUID) -> str:
    """The stream that every member of the project may read."""
    return f"project:{project_id}"


async def publish(session: AsyncSession, *, stream: str, kind: str, data: Mapping[str, Any]) -> int:
    """Append an event to a stream and wake its readers after the commit.

    Returns the event's number. Locks the stream row until the transaction ends, so publish last,
    and to several streams in sorted order. `data` holds ids rather than contents, because readers
    of the stream may have fewer permissions.
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
    """The next events in order, at most `MOST_AT_ONCE`; empty when there are none."""
    return [
        StreamedEvent(number=event.number, kind=event.kind, data=event.data)
        for event in await Events(session).list_after(stream, number, upto=upto)
    ]


async def get_extent(session: AsyncSession, stream: str) -> Extent:
    forgotten, last = await Events(session).get_extent(stream)
    return Extent(forgotten=forgotten, last=last)


async def forget_before(session: AsyncSession, moment: datetime) -> None:
    """Delete old events. Numbering continues; readers that were away longer must start over."""
    await Events(session).delete_before(moment)
